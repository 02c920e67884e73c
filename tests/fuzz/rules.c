/* Any bytes as a rule file: parsed, checked, formatted, compiled, played a little. Nothing may crash, hang or grow without limit. */
#include <stdlib.h>
#include "interp/joc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    joc_messages *m = joc_messages_new();
    free(joc_format("fuzz.joc", (const char *)data, size, false, m));
    joc_rules *rules = joc_rules_parse("fuzz.joc", (const char *)data, size, m);
    if (rules) joc_rules_check(rules, m);
    joc_game *game = rules ? joc_compile(rules, NULL, 0, 0, m) : NULL;
    if (game) {
        joc_position *p = joc_start(game, 1);
        joc_random r = joc_random_seed(1);
        for (int i = 0; i < 4 && joc_play_random(p, &r); i++) joc_moves_free(joc_state_of(p) == JOC_DECISION ? joc_moves_of(p) : NULL);
        joc_position_free(p);
    }
    joc_game_free(game);
    joc_rules_free(rules);
    free(joc_messages_text(m, false));
    joc_messages_free(m);
    return 0;
}
