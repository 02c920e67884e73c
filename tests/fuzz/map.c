/* Any bytes as the map of a board. The rules read it as a file; it lies in memory alone. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "interp/joc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[500];
    int fd = memfd_create("map", MFD_CLOEXEC);
    if (fd < 0) return 0;
    if (write(fd, data, size) == (ssize_t)size) {
        snprintf(text, sizeof text, "game \"M\"\nplayers White, Black\nboard map \"/proc/self/fd/%d\"\npiece Man { move: step to not own }\n"
                                    "setup { place White Man on first(cells) }\nturn { move else lose }\nwin when no enemy\n", fd);
        joc_messages *m = joc_messages_new();
        joc_rules *rules = joc_rules_parse("fuzz.joc", text, strlen(text), m);
        assert(rules);
        joc_game *game = joc_compile(rules, NULL, 0, 0, m);
        assert(game || joc_messages_errors(m));
        if (game) {
            joc_position *p = joc_start(game, 1);
            joc_random r = joc_random_seed(1);
            free(joc_drawing(p, (joc_look){ .width = 80 }));
            for (int i = 0; i < 4 && joc_play_random(p, &r); i++) continue;
            joc_position_free(p);
        }
        free(joc_messages_text(m, false));
        joc_game_free(game);
        joc_rules_free(rules);
        joc_messages_free(m);
    }
    close(fd);
    return 0;
}
