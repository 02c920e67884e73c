/* Bytes choose the moves of a game (first byte: which; second: the seed). After each: a copy is equal in text and hash, going on from the copy
 * comes to the same, and a move found by its text is that move. */
#include "tests/fuzz/games.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_same(const joc_position *a, const joc_position *b) {
    char *x = joc_state_text(a), *y = joc_state_text(b);
    if (strcmp(x, y)) {
        fprintf(stderr, "%s\n%s\n", x, y);
        abort();
    }
    assert(joc_position_hash(a) == joc_position_hash(b));
    free(x), free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    joc_position *p = joc_start(game_of(data[0] % GAMES), data[1]);
    for (size_t i = 2; i < size && i < 60; i++) {
        joc_position *copy = joc_position_copy(p);
        assert_same(p, copy);
        joc_state state = joc_state_of(p);
        assert(state == joc_state_of(copy));
        if (state == JOC_OVER || state == JOC_STUCK) {
            joc_result r = joc_result_of(p);
            assert(state == JOC_STUCK || r.outcome != JOC_RUNNING);
            joc_position_free(copy);
            break;
        }
        joc_moves *list = joc_moves_of(p), *other = joc_moves_of(copy);
        const size_t count = joc_moves_count(list), chosen = count ? (data[i] * 7 + i) % count : 0;
        assert(count > 0 && count == joc_moves_count(other));
        const joc_move *move = joc_moves_at(list, chosen), *same = joc_moves_at(other, chosen);
        assert(!strcmp(joc_move_text(move), joc_move_text(same)));
        char *why = NULL;
        if (state == JOC_DECISION) assert(joc_moves_find(list, joc_move_text(move), &why) == move);
        free(why);
        joc_play(p, move);
        joc_play(copy, same);
        assert_same(p, copy);
        joc_moves_free(list), joc_moves_free(other);
        joc_position_free(copy);
        assert(!joc_fault(p));
    }
    joc_position_free(p);
    return 0;
}
