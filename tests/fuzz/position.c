/* Any bytes as a position of a few games: read or refused; what is read is written and read again. The first byte chooses the game. */
#include "tests/fuzz/games.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    char *text = calloc(size, 1);
    memcpy(text, data + 1, size - 1);
    joc_messages *m = joc_messages_new();
    joc_position *p = joc_position_parse(game_of(data[0] % GAMES), text, m);
    assert(p || joc_messages_errors(m));
    if (p) {
        char *written = joc_position_text(p), *drawn = joc_drawing(p, (joc_look){ .width = 60 });
        joc_position *again = joc_position_parse(joc_position_game(p), written, m);
        assert(again);
        joc_moves_free(joc_state_of(p) == JOC_DECISION ? joc_moves_of(p) : NULL);
        joc_position_free(again);
        free(written), free(drawn);
    }
    joc_position_free(p);
    joc_messages_free(m);
    free(text);
    return 0;
}
