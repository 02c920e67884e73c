/* Any bytes as a match record: what is read is written the same again, and replays or is refused. The first byte chooses the game. */
#include "tests/fuzz/games.h"
#include "interp/formats/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const match *record, const joc_game *g, joc_messages *m) {
    size_t done;
    if (record->players == joc_game_players(g) && record->move_count < 40) joc_position_free(match_replay(record, g, "fuzz.yaml", &done, m));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const joc_game *g = game_of(data[0] % GAMES);
    joc_messages *m = joc_messages_new();
    match *record = match_parse("fuzz.yaml", (const char *)data + 1, size - 1, m);
    if (record) {
        char *yaml = match_text(record), *again;
        match *back = match_parse("again.yaml", yaml, strlen(yaml), m);
        if (!back) abort();
        again = match_text(back);
        if (strcmp(yaml, again)) abort();
        replay(record, g, m);
        free(yaml), free(again);
        match_free(back);
    }
    match_free(record);
    joc_messages_free(m);
    return 0;
}
