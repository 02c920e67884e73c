/* Any bytes as the notation of moves, one a line, played from the start of a game (first byte: which; second: the seed): each is a legal move
 * or refused with a reason. */
#include "tests/fuzz/games.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    joc_position *p = joc_start(game_of(data[0] % GAMES), data[1]);
    char *text = calloc(size, 1), *save = NULL;
    memcpy(text, data + 2, size - 2);
    int lines = 0;
    for (char *line = strtok_r(text, "\n", &save); line && lines < 20; line = strtok_r(NULL, "\n", &save), lines++) {
        joc_state state = joc_state_of(p);
        if (state != JOC_DECISION && state != JOC_CHANCE) break;
        joc_moves *list = joc_moves_of(p);
        char *why = NULL;
        const joc_move *move = joc_moves_find(list, line, &why);
        assert(!move != !why);
        if (move) {
            const char *exact = joc_move_text(move);
            char *none = NULL;
            assert(joc_moves_find(list, exact, &none) == move && !none);
            joc_play(p, move);
        }
        free(why);
        joc_moves_free(list);
    }
    joc_position_free(p);
    free(text);
    return 0;
}
