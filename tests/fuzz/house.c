/* Any bytes as a house file: read alone and against the options of a game; what is read compiles or is refused. */
#include <stdlib.h>
#include "interp/formats/house.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const joc_rules *rules_once(void) {
    static joc_rules *rules;
    if (rules) return rules;
    joc_messages *m = joc_messages_new();
    rules = joc_rules_load("games/ur.joc", m);
    joc_messages_free(m);
    if (!rules) abort();
    return rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    joc_messages *m = joc_messages_new();
    house_free(house_parse("fuzz.house.yaml", (const char *)data, size, NULL, m));
    house *h = house_parse("fuzz.house.yaml", (const char *)data, size, rules_once(), m);
    choices chosen = { 0 };
    if (h) choices_house(&chosen, h, rules_once());
    joc_game *g = h ? joc_compile(rules_once(), chosen.list, chosen.count, 0, m) : NULL;
    if (h && !g && !joc_messages_errors(m)) abort();
    joc_game_free(g);
    choices_free(&chosen);
    house_free(h);
    joc_messages_free(m);
    return 0;
}
