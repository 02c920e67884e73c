# The machine's sources as one text, in a C file that holds it: the includes of ours are put in their places, those of tables.inc and code.inc
# stay as they are, each in an element of its own (interp/native/native.c).
#
#     awk -f source.awk interp/machine/vm.c interp/machine/machine.c
function folder(path) { return match(path, /.*\//) ? substr(path, 1, RLENGTH) : "" }

function exists(path,   line, there) {
    there = (getline line < path) >= 0
    close(path)
    return there
}

function element_end() { if (open) printf "\",\n"; open = 0; held = 0 }

function put(line) {
    gsub(/["\\]/, "\\\\&", line)
    if (open && held + length(line) > 3500) element_end()
    printf open ? "\"\n    \"%s\\n" : "    \"%s\\n", line
    open = 1
    held += length(line) + 1
}

function expand(path,   line, name, at) {
    if (path ~ /\.h$/ && path in seen) return
    seen[path] = 1
    while ((getline line < path) > 0) {
        if (line !~ /^ *#include "/) { put(line); continue }
        name = line
        sub(/^[^"]*"/, "", name)
        sub(/".*/, "", name)
        if (name ~ /\.inc$/) { element_end(); put(line); element_end(); continue }
        at = folder(path) name
        expand(exists(at) ? at : name)
    }
    close(path)
}

BEGIN {
    print "/* Written by interp/native/source.awk. */\n#include \"interp/native/native.h\"\n\nconst char *const native_source[] = {"
    for (i = 1; i < ARGC; i++) expand(ARGV[i])
    element_end()
    print "    NULL\n};"
}
