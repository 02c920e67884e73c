/* Any bytes as a YAML file: as plain data, and against the shapes of house files, notations and match records. */
#include "interp/formats/house.h"
#include "interp/formats/match.h"
#include "interp/formats/notation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    joc_messages *m = joc_messages_new();
    data_file f;
    datum *d = data_parse(&f, "fuzz.yaml", (const char *)data, size, m);
    if (d) {
        data_check(&f, d, &house_shape);
        data_check(&f, d, &match_shape);
        data_check(&f, d, &notation_shape);
    }
    datum_free(d);
    data_file_free(&f);
    joc_messages_free(m);
    return 0;
}
