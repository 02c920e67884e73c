/* joc: the command. */
#include <locale.h>
#include <stdlib.h>
#include "interp/cli/cli.h"

int main(int argc, char **argv) {
    asked a;
    int code = EXIT_DONE;
    setlocale(LC_CTYPE, "");
    if (asked_parse(argc, argv, &a, &code)) code = commands[a.command].run(&a);
    asked_free(&a);
    return finish(code);
}
