/* The front end: from text to tree and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "grammar/ast.h"
#include "tests/error_corpus.h"

static const char *const folders[] = { "games", NULL };

/* ---- helpers ---- */

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    assert_non_null(file);
    ssize_t got = getdelim(&text, &room, EOF, file);
    fclose(file);
    assert_true(got >= 0);
    *length = (size_t)got;
    return text;
}

static tree *parsed(const char *text)
{
    diagnostics *d = diag_new();
    tree *t = tree_parse("test", text, strlen(text), d);
    if (d->errors) {
        char *said = diag_text(d, false);
        print_error("%s", said);
        free(said);
        fail();
    }
    diag_free(d);
    return t;
}

/* The tree as text: (KIND 'word' more flags children...), for comparing. */
static void write_node(FILE *out, const node *n, uint32_t flags)
{
    if (!n) {
        fputs(" -", out);
        return;
    }
    fprintf(out, " (%s", node_kind_name(n->kind));
    if (n->text)
        fprintf(out, " '%s'", n->text);
    if (n->more)
        fprintf(out, " +'%s'", n->more);
    if (n->flags & flags)
        fprintf(out, " %x", n->flags & flags);
    if (n->kind == NODE_E_NUMBER)
        fprintf(out, " %lld", (long long)n->value);
    for (int i = 0; i < n->count; i++)
        write_node(out, n->kids[i], flags);
    fputs(")", out);
}

static char *written(const node *n, uint32_t flags)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    write_node(out, n, flags);
    fclose(out);
    return text;
}

/* How `let x = TEXT` reads, printed with every bracket. */
static void assert_reads(const char *text, const char *brackets)
{
    char whole[500];
    snprintf(whole, sizeof whole, "let x = %s", text);
    diagnostics *d = diag_new();
    char *shown = format_text("test", whole, strlen(whole), true, d);
    if (!shown) {
        char *said = diag_text(d, false);
        print_error("%s", said);
        free(said);
        fail();
    }
    shown[strlen(shown) - 1] = '\0';
    assert_string_equal(shown + strlen("let x = "), brackets);
    free(shown);
    diag_free(d);
}

static void assert_tree(const char *text, const char *expected)
{
    tree *t = parsed(text);
    char *got = written(t->root->kids[0], ~(uint32_t)0);
    assert_string_equal(got + 1, expected);
    free(got);
    tree_free(t);
}

/* The code and text of the first message of a text. */
static void assert_refused(const char *text, size_t length, const char *code, const char *part)
{
    diagnostics *d = diag_new();
    tree *t = tree_parse("test", text, length, d);
    assert_non_null(t);
    assert_true(d->errors > 0);
    assert_string_equal(d->messages[0].code, code);
    if (!strstr(d->messages[0].text, part))
        fail_msg("'%s' is not in '%s'", part, d->messages[0].text);
    tree_free(t);
    diag_free(d);
}

/* ---- what is read ---- */

static void test_slots_of_expressions_take_words_and_stop_at_operators(void **state)
{
    (void)state;
    assert_reads("empty neighbours of own Man", "empty (neighbours of (own Man))");
    assert_reads("a of b or c", "(a of b) or c");
    assert_reads("line 3 of own Mark small", "line 3 of (own Mark small)");
    assert_reads("reach side neighbours of empty through side", "reach (side (neighbours of empty)) through side");
    assert_reads("own castles d of reach here through empty along d", "own castles (d of (reach here through empty along d))");
    assert_reads("any a of b and no c", "(any (a of b)) and (no c)");
}

static void test_numbers_and_directions_before_an_image_belong_to_it(void **state)
{
    (void)state;
    assert_reads("2 ahead of here", "(2 ahead) of here");
    assert_reads("enemy backward diagonal of own Pawn", "enemy ((backward diagonal) of (own Pawn))");
    assert_reads("-ring of here", "(-ring) of here");
}

static void test_arithmetic_belongs_to_the_word_before_it(void **state)
{
    (void)state;
    assert_reads("row size / 2", "row (size / 2)");
    assert_reads("row a * 2 + b", "row ((a * 2) + b)");
    assert_reads("1..armies of a - 1", "1..((armies of a) - 1)");
    assert_reads("size - 2..size", "(size - 2)..size");
    assert_reads("row n - 1..n + 1", "row (n - 1)..(n + 1)");
    assert_reads("n + 1 ahead", "(n + 1) ahead");
    assert_reads("own row size / 2 small", "own row (size / 2) small");
    assert_reads("count own - 1", "(count own) - 1");
    assert_reads("(row + col) % 2 = 1", "((row + col) % 2) = 1");
    assert_tree("let x = row size / 2", "(I_LET 'x' - (E_ROW (E_NAME 'row') (E_ARITH '/' (E_NAME 'size') (E_NUMBER '2' 2))))");
    assert_tree("let x = 1..n of S", "(I_LET 'x' - (E_RANGE (E_NUMBER '1' 1) (E_OF (E_NAME 'n') (E_NAME 'S'))))");
    assert_tree("keep x -3..3", "(I_KEEP 'x' (E_RANGE (E_MINUS (E_NUMBER '3' 3)) (E_NUMBER '3' 3)) - -)");
}

static void test_a_byte_order_mark_may_begin_a_file(void **state)
{
    (void)state;
    static const char *const texts[] = { "\xEF\xBB\xBFlet x = own", "\xEF\xBB\xBF# said\nlet x = own" };
    for (size_t i = 0; i < 2; i++) {
        diagnostics *d = diag_new();
        char *shown = format_text("test", texts[i], strlen(texts[i]), false, d);
        assert_non_null(shown);
        assert_int_equal(d->count, 0);
        free(shown);
        diag_free(d);
    }
}

static void test_not_before_a_question_negates_the_question(void **state)
{
    (void)state;
    assert_reads("not x in S", "not (x in S)");
    assert_reads("not own Man in S", "not ((own Man) in S)");
    assert_reads("not a = b and c", "not (a = b) and c");
    assert_reads("not any S", "not (any S)");
    assert_reads("not count S > 3", "not ((count S) > 3)");
    assert_reads("(not own) in S", "(not own) in S");
    assert_reads("own not small", "own not small");
    assert_tree("let x = not y in S", "(I_LET 'x' - (E_NOT (E_IN (E_NAME 'y') (E_NAME 'S'))))");
    assert_tree("let x = not y S", "(I_LET 'x' - (E_ROW (E_NOT (E_NAME 'y')) (E_NAME 'S')))");
}

static void test_where_narrows_the_set_before_it_and_reaches_to_the_end(void **state)
{
    (void)state;
    assert_tree("let x = own where it in a or it in b",
                "(I_LET 'x' - (E_WHERE (E_NAME 'own') (E_OR (E_IN (E_NAME 'it') (E_NAME 'a')) (E_IN (E_NAME 'it') (E_NAME 'b')))))");
    assert_tree("let x = any own where it in a", "(I_LET 'x' - (E_ANY (E_WHERE (E_NAME 'own') (E_IN (E_NAME 'it') (E_NAME 'a')))))");
    assert_refused("let x = a or b where c", 22, "E0117", "where");
}

static void test_along_and_from_go_with_the_innermost(void **state)
{
    (void)state;
    assert_reads("reach reach a through b along d through c", "reach (reach a through b along d) through c");
    assert_reads("line of a from b to c along d", "line of a from b to c along d");
    assert_reads("orthogonal or diagonal from dark", "orthogonal or (diagonal from dark)");
    assert_tree("turn { send a along b }", "(I_TURN (A_SEND 'along' (E_NAME 'a') (E_NAME 'b')))");
    assert_tree("turn { send reach a through b along c along d }",
                "(I_TURN (A_SEND 'along' (E_REACH (E_NAME 'a') (E_NAME 'b') (E_NAME 'c')) (E_NAME 'd')))");
}

static void test_an_action_slot_takes_a_whole_expression(void **state)
{
    (void)state;
    assert_tree("turn { step 2 ahead over empty*, enemy or own? to a or b }",
                "(I_TURN (A_STEP (E_ROW (E_NUMBER '2' 2) (E_NAME 'ahead')) (OVER (PATTERN '*' (E_NAME 'empty'))"
                " (PATTERN '?' (E_OR (E_NAME 'enemy') (E_NAME 'own')))) (E_OR (E_NAME 'a') (E_NAME 'b'))))");
    assert_tree("turn { step over enemy | send top 2 of here to x }",
                "(I_TURN (A_CHOICE (A_STEP - (OVER (PATTERN '1' (E_NAME 'enemy'))) -)"
                " (A_SEND 'to' (E_TOP 'top' (E_NUMBER '2' 2) (E_NAME 'here')) (E_NAME 'x'))))");
    assert_tree("turn { a or b becomes seen by p }", "(I_TURN (A_SEEN (E_OR (E_NAME 'a') (E_NAME 'b')) (E_NAME 'p')))");
}

static void test_sequence_binds_tighter_than_choice_and_else(void **state)
{
    (void)state;
    assert_tree("turn { a, b | c else d, e }",
                "(I_TURN (A_ELSE (A_CHOICE (A_SEQUENCE (A_DO (E_NAME 'a')) (A_DO (E_NAME 'b'))) (A_DO (E_NAME 'c')))"
                " (A_SEQUENCE (A_DO (E_NAME 'd')) (A_DO (E_NAME 'e')))))");
    assert_tree("turn { { a; b | c } }",
                "(I_TURN (A_SEQUENCE 82 (A_DO (E_NAME 'a')) (A_CHOICE (A_DO (E_NAME 'b')) (A_DO (E_NAME 'c')))))");
}

static void test_labelled_results_are_ends_and_other_names_are_rules(void **state)
{
    (void)state;
    assert_tree("in_check: illegal when a", "(I_END 'illegal' +'in_check' - (E_NAME 'a'))");
    assert_tree("past: win Hare when a", "(I_END 'win' +'past' (E_NAME 'Hare') (E_NAME 'a'))");
    assert_tree("resign: lose", "(I_RULE 'resign' - (A_RESULT 'lose' - -))");
}

static void test_items_carry_what_they_say(void **state)
{
    (void)state;
    assert_tree("keep led of cell of turn in ways = north seen by owner aside",
                "(I_KEEP 'led' +'cell' 58 (E_NAME 'ways') (E_NAME 'north') (SEEN 'owner'))");
    assert_tree("board square 3 by n named square, post \"w\" without a1",
                "(I_BOARD 'square' (E_NUMBER '3' 3) (E_NAME 'n') (E_NAME 'a1') - - (NAMING (E_NAME 'square')) (NAMING 'w' (E_NAME 'post')))");
    assert_tree("board drawn {\n a - b\n - . c }",
                "(I_BOARD 'drawn' - - - - (PICTURE (PICTURE_ROW (PIXEL 'a') (PIXEL '-') (PIXEL 'b')) (PICTURE_ROW (PIXEL '-') (PIXEL '.') (PIXEL 'c'))))");
    assert_tree("piece Flag 0, Card 1..13 \"C\" seen by owner { move: pass }",
                "(I_PIECE (KINDS (KIND 'Flag' (E_NUMBER '0' 0)) (KIND 'Card' +'C' (E_RANGE (E_NUMBER '1' 1) (E_NUMBER '13' 13)))) (SEEN 'owner')"
                " (I_RULE 'move' - (A_PASS)))");
    assert_tree("stack 4 of any on x", "(I_STACK +'any' (E_NUMBER '4' 4) (E_NAME 'x'))");
}

static void test_names_are_one_however_they_are_typed(void **state)
{
    (void)state;
    tree *t = parsed("let coș = a\nlet coş = b\nlet cos\xCC\xA6 = c\nlet ținut = d\nlet ţinut = e\nlet răs = f\nlet ra\xCC\x86s = g\n");
    node **items = t->root->kids;
    assert_ptr_equal(items[0]->text, items[1]->text);
    assert_ptr_equal(items[0]->text, items[2]->text);
    assert_ptr_equal(items[3]->text, items[4]->text);
    assert_ptr_equal(items[5]->text, items[6]->text);
    assert_ptr_not_equal(items[0]->text, items[3]->text);
    tree_free(t);
}

static void test_lines_go_on_where_the_contract_says(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        { "let x = a\n  or b\n  and c", "let x = a or b and c" }, { "let x = a\n + b\n\n - c", "let x = a + b - c" },
        { "let x =\n a", "let x = a" }, { "turn { a,\n b }", "turn { a, b }" }, { "let x = (a\n b\n c)", "let x = (a b c)" },
        { "let x = own\n where any own", "let x = own where any own" }, { "turn { a\n else b }", "turn { a else b }" },
        { "turn { a; b; }", "turn {\n a\n b\n\n}" }, { "let x = a of # why\n\n b", "let x = a of b" },
        { "let x = any a\n = b", "let x = any a = b" }, { "\n\n;let x = a;;\n", "let x = a" },
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        tree *a = parsed(same[i][0]), *b = parsed(same[i][1]);
        char *x = written(a->root, ~(uint32_t)0), *y = written(b->root, ~(uint32_t)0);
        assert_string_equal(x, y);
        free(x);
        free(y);
        tree_free(a);
        tree_free(b);
    }
}

static void test_ids_are_dense_and_spans_lie_in_the_text(void **state)
{
    (void)state;
    tree *t = parsed("turn { step to a or b, when not c in d }\nlet x = row size / 2");
    const node *stack[64];
    uint32_t seen = 0;
    size_t count = 0;
    for (stack[count++] = t->root; count;) {
        const node *n = stack[--count];
        assert_true(n->id < t->node_count);
        assert_true(n->at.from <= n->at.to && n->at.to <= 61);
        seen++;
        for (int i = 0; i < n->count; i++)
            if (n->kids[i])
                stack[count++] = n->kids[i];
    }
    assert_int_equal(seen, t->node_count);
    tree_free(t);
}

/* ---- what is refused ---- */

static void check_syntax(const char *path, const char *text, size_t length, diagnostics *d)
{
    tree_free(tree_parse(path, text, length, d));
}

static void check_variant(const char *path, const char *text, size_t length, diagnostics *d)
{
    static const char *const parents[] = { "tests/errors/parents", NULL };
    tree_free(tree_load_text(path, text, length, parents, d));
}

static void test_every_faulty_file_says_what_is_wrong_where(void **state)
{
    (void)state;
    assert_int_equal(errors_check_files("tests/errors/syntax/*.joc", 60, check_syntax), 0);
}

static void test_every_faulty_variant_says_what_is_wrong_where(void **state)
{
    (void)state;
    assert_int_equal(errors_check_files("tests/errors/variants/*.joc", 12, check_variant), 0);
}

static void test_all_codes_are_listed_once_and_in_order(void **state)
{
    (void)state;
    static const char *const codes[] = {
#define DIAG(code, title, wrong, right) code,
#include "grammar/diag.def"
#undef DIAG
    };
    for (size_t i = 1; i < sizeof codes / sizeof *codes; i++)
        assert_true(strcmp(codes[i - 1] + 1, codes[i] + 1) < 0);
}

static void test_bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_refused("let a = \xFF", 9, "E0004", "0xFF");
    assert_refused("let a\0 = b", 10, "E0004", "NUL");
    assert_refused("let a = \xC3", 9, "E0004", "UTF-8");
    assert_refused("let a = \xED\xA0\x80", 11, "E0004", "UTF-8");
}

static void test_what_is_no_plain_file_is_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/joc-front-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    static const char *const kinds[] = { "missing", "fifo", "big", "folder" };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, kinds[i]);
        if (i == 1)
            assert_int_equal(mkfifo(path, 0600), 0);
        if (i == 2) {
            FILE *big = fopen(path, "wb");
            assert_non_null(big);
            assert_int_equal(ftruncate(fileno(big), (4 << 20) + 1), 0);
            fclose(big);
        }
        if (i == 3)
            assert_int_equal(mkdir(path, 0700), 0);
        diagnostics *d = diag_new();
        assert_null(tree_read(path, d));
        assert_int_equal(d->errors, 1);
        assert_string_equal(d->messages[0].code, i == 2 ? "E0003" : "E0001");
        diag_free(d);
        remove(path);
    }
    remove(folder);
}

/* A text of `total` bytes: `before`, then `unit` over and over. */
static void assert_survives(const char *before, const char *unit, size_t total)
{
    size_t used = strlen(before), step = strlen(unit);
    char *text = malloc(total + 1);
    assert_non_null(text);
    memcpy(text, before, used);
    for (; used + step <= total; used += step)
        memcpy(text + used, unit, step);
    diagnostics *d = diag_new();
    clock_t start = clock();
    tree *t = tree_parse("hostile", text, used, d);
    assert_non_null(t);
    assert_true(d->errors > 0);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);       /* far below a second, but for builds that look at every byte */
    tree_free(t);
    diag_free(d);
    free(text);
}

static void test_hostile_texts_end_soon(void **state)
{
    (void)state;
    assert_survives("", "(", 10 << 20);
    assert_survives("let x = ", "(", 4 << 20);
    assert_survives("turn ", "{", 4 << 20);
    assert_survives("let x = a", "+a", 1 << 20);
    assert_survives("let x = ", "a of ", 1 << 20);
    assert_survives("let x = (a", " when b else a", 1 << 20);
    assert_survives("turn {", "if a {} else ", 1 << 20);
    assert_survives("", "x y z\n", 1 << 20);
    assert_survives("", ")", 1 << 20);
    assert_survives("", "turn {\n", 1 << 20);
}

/* ---- and back ---- */

typedef void (*file_check)(const char *path, const char *text, size_t length);

static void each_game(file_check check)
{
    static const char *const patterns[] = { "games/*.joc", "games/*/*.joc" };
    size_t count = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++, count++) {
                size_t length;
                char *text = read_text(found.gl_pathv[k], &length);
                check(found.gl_pathv[k], text, length);
                free(text);
            }
        globfree(&found);
    }
    assert_true(count > 20);
}

static char *formatted(const char *path, const char *text, size_t length, bool brackets)
{
    diagnostics *d = diag_new();
    char *result = format_text(path, text, length, brackets, d);
    if (!result) {
        char *said = diag_text(d, false);
        print_error("%s", said);
        free(said);
        fail();
    }
    diag_free(d);
    return result;
}

static void check_format(const char *path, const char *text, size_t length)
{
    char *once = formatted(path, text, length, false), *twice = formatted(path, once, strlen(once), false);
    assert_string_equal(once, twice);
    tree *a = parsed(text), *b = parsed(once);
    char *x = written(a->root, ~(uint32_t)0), *y = written(b->root, ~(uint32_t)0);
    assert_string_equal(x, y);
    size_t comments = 0;
    for (const char *at = text; *at; at++)
        comments += *at == '#';
    for (const char *at = once; *at; at++)
        comments -= *at == '#';
    assert_int_equal(comments, 0);
    free(x);
    free(y);
    tree_free(a);
    tree_free(b);
    free(once);
    free(twice);
}

static void test_formatting_keeps_every_game_what_it_is(void **state)
{
    (void)state;
    each_game(check_format);
}

static void check_brackets(const char *path, const char *text, size_t length)
{
    char *once = formatted(path, text, length, true), *twice = formatted(path, once, strlen(once), true);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
}

static void test_all_brackets_are_written_at_once(void **state)
{
    (void)state;
    each_game(check_brackets);
}

/* Every rule's action and every `let` of a game, printed and read again. */
static void check_print(const char *path, const char *text, size_t length)
{
    (void)path; (void)length;
    tree *t = parsed(text);
    for (int i = 0; i < t->root->count; i++) {
        const node *item = t->root->kids[i];
        if ((item->kind != NODE_I_LET && item->kind != NODE_I_RULE) || item->kids[0])
            continue;
        char *printed = node_print(item->kids[1]), *whole = NULL;
        assert_true(asprintf(&whole, item->kind == NODE_I_LET ? "let x = %s" : "x: %s", printed) > 0);
        tree *again = parsed(whole);
        char *x = written(item->kids[1], ~(uint32_t)FLAG_LINES), *y = written(again->root->kids[0]->kids[1], ~(uint32_t)FLAG_LINES);
        assert_string_equal(x, y);
        free(x);
        free(y);
        free(whole);
        free(printed);
        tree_free(again);
    }
    tree_free(t);
}

static void test_what_is_printed_reads_the_same(void **state)
{
    (void)state;
    each_game(check_print);
}

static void test_the_one_layout(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "game   \"T\"\n\n\n\nlet  a=b+ -c\n", "game \"T\"\n\nlet a = b + -c\n" },
        { "turn{a;b}", "turn { a; b }\n" },
        { "turn{a\nb}", "turn {\n  a\n  b\n}\n" },
        { "turn { {a}*until b,{c}? }", "turn { { a }* until b, { c }? }\n" },
        { "turn { step over empty * , enemy+ to a * b }", "turn { step over empty*, enemy+ to a * b }\n" },
        { "turn {\na\n   | b\n if c {d}\n else {e}\n}", "turn {\n  a\n  | b\n  if c { d }\n  else { e }\n}\n" },
        { "f(x,y) :a  ,b # why\n# alone\nlet c=f (x)", "f(x, y): a, b  # why\n# alone\nlet c = f (x)\n" },
        { "let a=1 .. n", "let a = 1..n\n" },
        { "let a = b # one\nlet long_name = c # two\n", "let a = b          # one\nlet long_name = c  # two\n" },
        { "option a = 1 \"x\"\noption longer = 2 \"y\"", "option a = 1      \"x\"\noption longer = 2 \"y\"\n" },
        { "board drawn {\n a - bcd\n ef . g }", "board drawn {\n  a  - bcd\n  ef . g\n}\n" },
        { "let a = b\n   or c", "let a = b\n    or c\n" },
        { "test \"t\" { turn P {a} legal \"x\" ; expect b }", "test \"t\" { turn P { a } legal \"x\"; expect b }\n" },
        { "", "" }, { "# only this", "# only this\n" }, { "turn { } # last\n\n\n", "turn { }  # last\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = formatted("test", cases[i][0], strlen(cases[i][0]), false);
        assert_string_equal(got, cases[i][1]);
        free(got);
    }
}

static void test_faulty_texts_are_not_formatted(void **state)
{
    (void)state;
    diagnostics *d = diag_new();
    assert_null(format_text("test", "let = 3", 7, false, d));
    assert_int_equal(d->errors, 1);
    diag_free(d);
}

/* ---- variants ---- */

static tree *loaded(const char *text)
{
    static const char *const parents[] = { "tests/errors/parents", NULL };
    diagnostics *d = diag_new();
    tree *t = tree_load_text("test.joc", text, strlen(text), parents, d);
    if (d->errors) {
        char *said = diag_text(d, false);
        print_error("%s", said);
        free(said);
        fail();
    }
    diag_free(d);
    return t;
}

/* The items of that kind (and name, if one is given), printed one after the other. */
static void assert_items(const tree *t, node_kind kind, const char *name, const char *expected)
{
    char *all = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&all, &length);
    assert_non_null(out);
    for (int i = 0; i < t->root->count; i++) {
        const node *item = t->root->kids[i];
        if (item->kind == kind && (!name || (item->text && strcmp(item->text, name) == 0)))
            write_node(out, item, FLAG_SETTING);
    }
    fclose(out);
    assert_string_equal(all, expected);
    free(all);
}

static void test_a_variant_of_a_variant_is_one_game(void **state)
{
    (void)state;
    tree *t = loaded("variant \"Mine\" of \"middle\"\noption size = 6\nreplace dead: draw when original or passes = 2\nreplace setup { original; pass }\n"
                     "replace let near(y) = original(x of y)\nlet far = near(a)\nlose when no enemy\nrush: pass\n");
    assert_string_equal(t->root->kids[0]->text, "Mine");
    assert_items(t, NODE_I_GAME, NULL, " (I_GAME 'Mine')");
    assert_items(t, NODE_I_OPTION, "size", " (I_OPTION 'size' (E_NUMBER '6' 6) (VALUES (E_RANGE (E_NUMBER '3' 3) (E_NUMBER '9' 9))) (E_TEXT 'a number') -)");
    assert_items(t, NODE_I_SETUP, NULL, " (I_SETUP (A_SEQUENCE (A_PLACE (E_NAME 'Man') (E_ROW (E_NAME 'row') (E_NUMBER '1' 1))) (A_PASS)))");
    assert_items(t, NODE_I_LET, "near", " (I_LET 'near' (PARAMS (E_NAME 'y')) (E_OF (E_NAME 'neighbours') (E_OF (E_NAME 'x') (E_NAME 'y'))))");
    assert_items(t, NODE_I_END, "draw", " (I_END 'draw' +'dead' - (E_OR (E_NO (E_NAME 'own')) (E_COMPARE '=' (E_NAME 'passes') (E_NUMBER '2' 2))))");
    assert_items(t, NODE_I_END, "lose", " (I_END 'lose' - (E_NO (E_NAME 'own'))) (I_END 'lose' - (E_NO (E_NAME 'enemy')))");
    assert_items(t, NODE_I_RULE, "rush", " (I_RULE 'rush' - (A_PASS))");
    assert_items(t, NODE_I_TEST, NULL, "");
    tree_free(t);
}

static void test_replacing_a_rule_of_one_kind_leaves_it_to_the_others(void **state)
{
    (void)state;
    tree *t = loaded("variant \"Mine\" of \"parent\"\nreplace piece Man { jump: original | pass }\nreplace piece King { walk: again }\n");
    assert_items(t, NODE_I_PIECE, NULL,
                 " (I_PIECE (KINDS (KIND 'Man' +'M' -) (KIND 'King' +'K' -)) -)"
                 " (I_PIECE (KINDS (KIND 'King' -)) - (I_RULE 'jump' - (A_SEQUENCE (A_STEP - (OVER (PATTERN '1' (E_NAME 'enemy'))) (E_NAME 'empty')) (A_TAKE (E_NAME 'passed')))))"
                 " (I_PIECE (KINDS (KIND 'Man' -)) - (I_RULE 'walk' - (A_STEP (E_NAME 'forward') - (E_NAME 'empty'))))"
                 " (I_PIECE (KINDS (KIND 'Man' -)) - (I_RULE 'jump' - (A_CHOICE (A_SEQUENCE (A_STEP - (OVER (PATTERN '1' (E_NAME 'enemy')))"
                 " (E_NAME 'empty')) (A_TAKE (E_NAME 'passed'))) (A_PASS))))"
                 " (I_PIECE (KINDS (KIND 'King' -)) -)"
                 " (I_PIECE (KINDS (KIND 'King' -)) - (I_RULE 'walk' - (A_AGAIN)))");
    tree_free(t);
}

static void test_without_takes_rules_labels_and_unlabelled_ends(void **state)
{
    (void)state;
    tree *t = loaded("variant \"Mine\" of \"parent\"\nwithout jump\nwithout dead\nwithout win\nwithout rush\nwin when any own\n");
    assert_items(t, NODE_I_END, "win", " (I_END 'win' - (E_ANY (E_NAME 'own')))");
    assert_items(t, NODE_I_END, "draw", "");
    assert_items(t, NODE_I_RULE, NULL, "");
    for (int i = 0; i < t->root->count; i++)
        for (int k = 2; t->root->kids[i]->kind == NODE_I_PIECE && k < t->root->kids[i]->count; k++)
            assert_string_not_equal(t->root->kids[i]->kids[k]->text, "jump");
    tree_free(t);
}

static void test_every_game_loads(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("games/*.joc", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        diagnostics *d = diag_new();
        tree *t = tree_load(found.gl_pathv[i], folders, d);
        assert_non_null(t);
        assert_int_equal(d->errors, 0);
        for (int k = 0; k < t->root->count; k++) {
            node_kind kind = t->root->kids[k]->kind;
            assert_true(kind != NODE_I_VARIANT && kind != NODE_I_REPLACE && kind != NODE_I_WITHOUT && kind != NODE_BROKEN);
        }
        tree_free(t);
        diag_free(d);
    }
    globfree(&found);
}

/* ---- the small parts ---- */

static void test_nearest_words(void **state)
{
    (void)state;
    static const char *const words[] = { "piece", "place", "players", "step", "on" };
    assert_string_equal(nearest_word("peice", words, 5), "piece");
    assert_string_equal(nearest_word("plcae", words, 5), "place");
    assert_null(nearest_word("xyzzy", words, 5));
    assert_null(nearest_word("in", words, 5));
    assert_null(nearest_word("step", words + 3, 1));
}

static void test_messages_are_printed_in_order_with_their_notes(void **state)
{
    (void)state;
    diagnostics *d = diag_new();
    uint32_t index = diag_source(d, "x.joc", "ab\tșț\nlast", 12);
    diag_add(d, "E0102", (span){ index, 8, 12 }, "second");
    diag_note(d, (span){ index, 0, 1 }, "its note");
    diag_add(d, "W0999", (span){ index, 3, 5 }, "first");
    diag_add(d, "E0102", (span){ index, 8, 12 }, "said already");
    char *text = diag_text(d, false);
    assert_string_equal(text, "x.joc:1:4: warning[W0999]: first\n    ab șț\n       ^\n"
                              "x.joc:2:1: error[E0102]: second\n    last\n    ^~~~\n"
                              "x.joc:1:1: note: its note\n    ab șț\n    ^\n");
    assert_int_equal(d->errors, 1);
    assert_int_equal(d->warnings, 1);
    free(text);
    diag_free(d);
}

static void test_errors_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    diagnostics *d = diag_new();
    tree *t = tree_parse("x", "", 0, d);
    for (uint32_t i = 0; i < 60; i++)
        diag_add(d, "E0102", (span){ 0, i, i + 1 }, "again");
    assert_int_equal(d->errors, 60);
    assert_int_equal(d->count, 50);
    char *text = diag_text(d, true);
    assert_non_null(strstr(text, "and 10 more"));
    free(text);
    tree_free(t);
    diag_free(d);
}

/* A text is read whole, and its own faults found, whatever was told of others before. */
static void test_texts_behind_too_many_errors_are_read(void **state)
{
    (void)state;
    static const char good[] = "game \"T\"\nplayers White, Black\n", bad[] = "game \"T\"\nplayers White, \n";
    diagnostics *d = diag_new();
    for (int i = 0; i < 60; i++) {
        char *none = format_text("x", bad, sizeof bad - 1, false, d), *some = format_text("x", good, sizeof good - 1, false, d);
        assert_null(none);
        assert_non_null(some);
        assert_string_equal(some, good);
        free(some);
    }
    assert_int_equal(d->errors, 60);
    diag_free(d);
}

/* The page of the language lists the words that are no names. */
static void test_all_keywords_stand_in_the_page(void **state)
{
    (void)state;
    static const char *const words[] = {
#define WORD(word, token, starts) word,
#include "grammar/keywords.def"
#undef WORD
    };
    static char line[4096];
    FILE *page = fopen("docs/language.md", "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page) && strncmp(line, "These words are no names:", 25) != 0) { }
    fclose(page);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, " %s ", words[i]);
        if (i && i + 1 < sizeof words / sizeof *words && !strstr(line, wanted)) fail_msg("'%s' is not listed in section 9", words[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots_of_expressions_take_words_and_stop_at_operators),
        cmocka_unit_test(test_numbers_and_directions_before_an_image_belong_to_it),
        cmocka_unit_test(test_arithmetic_belongs_to_the_word_before_it),
        cmocka_unit_test(test_a_byte_order_mark_may_begin_a_file),
        cmocka_unit_test(test_not_before_a_question_negates_the_question),
        cmocka_unit_test(test_where_narrows_the_set_before_it_and_reaches_to_the_end),
        cmocka_unit_test(test_along_and_from_go_with_the_innermost),
        cmocka_unit_test(test_an_action_slot_takes_a_whole_expression),
        cmocka_unit_test(test_sequence_binds_tighter_than_choice_and_else),
        cmocka_unit_test(test_labelled_results_are_ends_and_other_names_are_rules),
        cmocka_unit_test(test_items_carry_what_they_say),
        cmocka_unit_test(test_names_are_one_however_they_are_typed),
        cmocka_unit_test(test_lines_go_on_where_the_contract_says),
        cmocka_unit_test(test_ids_are_dense_and_spans_lie_in_the_text),
        cmocka_unit_test(test_every_faulty_file_says_what_is_wrong_where),
        cmocka_unit_test(test_every_faulty_variant_says_what_is_wrong_where),
        cmocka_unit_test(test_all_codes_are_listed_once_and_in_order),
        cmocka_unit_test(test_bytes_that_are_no_text_are_refused),
        cmocka_unit_test(test_what_is_no_plain_file_is_refused),
        cmocka_unit_test(test_hostile_texts_end_soon),
        cmocka_unit_test(test_formatting_keeps_every_game_what_it_is),
        cmocka_unit_test(test_all_brackets_are_written_at_once),
        cmocka_unit_test(test_what_is_printed_reads_the_same),
        cmocka_unit_test(test_the_one_layout),
        cmocka_unit_test(test_faulty_texts_are_not_formatted),
        cmocka_unit_test(test_a_variant_of_a_variant_is_one_game),
        cmocka_unit_test(test_replacing_a_rule_of_one_kind_leaves_it_to_the_others),
        cmocka_unit_test(test_without_takes_rules_labels_and_unlabelled_ends),
        cmocka_unit_test(test_every_game_loads),
        cmocka_unit_test(test_nearest_words),
        cmocka_unit_test(test_all_keywords_stand_in_the_page),
        cmocka_unit_test(test_messages_are_printed_in_order_with_their_notes),
        cmocka_unit_test(test_errors_beyond_the_limit_are_counted),
        cmocka_unit_test(test_texts_behind_too_many_errors_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
