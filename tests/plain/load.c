/* From the items of a file to tables of what it declares. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "inside.h"

_Noreturn void fail(plain_game *g, const node *at, const char *format, ...) {
    text t = { 0 };
    char line[400];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    add(&t, line);
    if (at) {
        char *code = node_print(at);
        addf(&t, " (at `%.160s`)", code ? code : "?");
        free(code);
    }
    free(g->error);
    g->error = steal(&t);
    if (!g->out) {
        fprintf(stderr, "plain: %s\n", g->error);
        abort();
    }
    longjmp(*g->out, 1);
}

enum { STACK_MAX = 5 << 20 };

void stay_shallow(plain_game *g, const node *at) {
    ptrdiff_t deep = g->stack ? g->stack - (const char *)__builtin_frame_address(0) : 0;
    if (deep > STACK_MAX || deep < -STACK_MAX) fail(g, at, "this goes on without end");
}

/* ---- names ------------------------------------------------------------------------------------------------------------------ */
static const char *const standard_words[] = {
#define X(w) #w,
    STANDARD_NAMES(X)
#undef X
};

static name **bucket(plain_game *g, const char *word) { return &g->index[hash_text(word) % 1024]; }

static const name *look(const plain_game *g, const char *word, bool declared) {
    for (const name *n = g->index[hash_text(word) % 1024]; n; n = n->next)
        if (!strcmp(n->word, word) && (n->sort < N_CELL) == declared) return n;
    return NULL;
}

static void name_add(plain_game *g, const char *word, name_sort sort, int index) {
    name *n = heap_take(&g->slow, sizeof *n);
    *n = (name){ word, sort, index, NULL };
    name **b = bucket(g, word);
    while (*b) b = &(*b)->next;
    *b = n;
}

const name *name_find(const plain_game *g, const char *word) {
    const name *n = look(g, word, true);
    return n ? n : look(g, word, false);
}

const name *name_of(plain_game *g, const node *e) {
    if (!g->named[e->id]) g->named[e->id] = name_find(g, e->text);
    return g->named[e->id];
}

void settle_names(plain_game *g) {
    for (int i = 0; i < 1024; i++) g->index[i] = NULL;
    for (int i = 0; i < g->let_count; i++) name_add(g, g->lets[i].word, N_LET, i);
    for (int i = 0; i < g->keep_count; i++) name_add(g, g->keeps[i].word, N_KEEP, i);
    for (int i = 0; i < g->track_count; i++) name_add(g, g->tracks[i].word, N_TRACK, i);
    for (int i = 0; i < g->dice_count; i++) name_add(g, g->dice[i].word, N_DICE, i);
    for (int i = 0; i < g->option_count; i++) name_add(g, g->options[i].word, N_OPTION, i);
    for (int i = 0; i < g->zone_count; i++) name_add(g, g->zones[i].word, N_ZONE, i);
    for (int i = 0; i < g->kind_count; i++) name_add(g, g->kinds[i].word, N_KIND, i);
    for (int i = 0; i < g->family_count; i++) name_add(g, g->families[i].word, N_FAMILY, i);
    for (int i = 0; i < g->player_count; i++) name_add(g, g->players[i], N_PLAYER, i);
    for (int i = 0; i < g->group_count; i++) name_add(g, g->groups[i].word, N_GROUP, i);
    for (int i = 0; i < g->number_count; i++) name_add(g, g->numbers[i].word, N_NUMBER, i);
    for (int i = 0; i < g->cell_count; i++) name_add(g, g->cells[i].word, N_CELL, i);
    for (int i = 0; i < S_COUNT; i++) name_add(g, standard_words[i], N_STANDARD, i);
    memset(g->named, 0, g->tree->node_count * sizeof *g->named);
}

/* ---- tables that grow ---------------------------------------------------------------------------------------------------------- */
static void *grow(plain_game *g, void *old, int count, size_t size) {
    if (count & (count - 1)) return old;
    void *p = heap_take(&g->slow, (size_t)(count ? 2 * count : 1) * size);
    if (count) memcpy(p, old, (size_t)count * size);
    return p;
}
#define GROW(list, count) (list = grow(g, list, count, sizeof *(list)), &(list)[(count)++])

static int player_named(plain_game *g, const char *word, const node *at) {
    for (int p = 0; p < g->player_count; p++)
        if (!strcmp(g->players[p], word)) return p;
    for (int p = 0; p < PLAYERS_MAX; p++)
        if (g->players[p] && !strcmp(g->players[p], word)) return p;      /* a seat that is not taken this time */
    fail(g, at, "no player named '%s'", word);
}

static void load_players(plain_game *g, const node *n, int wanted) {
    int all = n->count - 1, least = all;
    if (all < 1 || all > PLAYERS_MAX) fail(g, n, "%d players cannot play", all);
    if (n->kids[0]) {
        least = (int)n->kids[0]->kids[0]->value;
        int most = (int)n->kids[0]->kids[1]->value;
        if (wanted && (wanted < least || wanted > most)) fail(g, n, "it is not for %d players", wanted);
    } else if (wanted && wanted != all) fail(g, n, "it is not for %d players", wanted);
    g->player_count = wanted ? wanted : least;
    if (g->player_count > all || g->player_count < 1) fail(g, n, "only %d players have names", all);
    static const char *const facings[] = { "north", "east", "south", "west" };
    for (int p = 0; p < all; p++) {
        g->players[p] = n->kids[p + 1]->text;
        for (int f = 0; f < 4; f++)
            if (n->kids[p + 1]->more && !strcmp(n->kids[p + 1]->more, facings[f])) g->facing[p] = f;
    }
}

static void kind_add(plain_game *g, const char *word, const char *letter, int64_t value) {
    kind *k = GROW(g->kinds, g->kind_count);
    *k = (kind){ word, letter, value };
}

static int kind_find(const plain_game *g, const char *word) {
    for (int i = 0; i < g->kind_count; i++)
        if (!strcmp(g->kinds[i].word, word)) return i;
    return NO_KIND;
}

static const char *first_letter(plain_game *g, const char *word) {
    size_t n = 1;
    while ((word[n] & 0xC0) == 0x80) n++;
    char *s = heap_take(&g->slow, n + 1);
    memcpy(s, word, n);
    if (n == 1 && *s >= 'a' && *s <= 'z') *s = (char)(*s - 'a' + 'A');
    return s;
}

static bool family_has(const plain_game *g, const char *word) {
    for (int i = 0; i < g->family_count; i++)
        if (!strcmp(g->families[i].word, word)) return true;
    return false;
}

/* The value of a kind that names none is its place in the list of its declaration. */
static void load_kinds(plain_game *g, const node *kinds) {
    for (int i = 0; i < kinds->count; i++) {
        const node *k = kinds->kids[i], *v = k->count ? k->kids[0] : NULL;
        if (kind_find(g, k->text) != NO_KIND || family_has(g, k->text)) continue;        /* a later block that adds rules */
        const char *letter = k->more ? k->more : first_letter(g, k->text);
        if (v && v->kind == NODE_E_RANGE) {
            family *f = GROW(g->families, g->family_count);
            int64_t low = v->kids[0]->value, high = v->kids[1]->value;
            if (high < low || high - low > 500) fail(g, v, "a family of this size cannot be made");
            *f = (family){ k->text, g->kind_count, (int)(high - low + 1) };
            for (int64_t j = low; j <= high; j++) {
                char word[128];
                snprintf(word, sizeof word, "%.100s%lld", k->text, (long long)j);
                kind_add(g, strcpy(heap_take(&g->slow, strlen(word) + 1), word), letter, j);
            }
        } else kind_add(g, k->text, letter, v ? v->value : i + 1);
    }
}

static bool picks_here(const node *n) {
    if (!n) return false;
    if (n->kind == NODE_A_PICK && !strcmp(n->text, "here")) return true;
    for (int i = 0; i < n->count; i++)
        if (picks_here(n->kids[i])) return true;
    return false;
}

static void rule_add(plain_game *g, const node *n, int kd) {
    rule *r = GROW(g->rules, g->rule_count);
    *r = (rule){ n->text, kd, n->kids[0], n->kids[1], picks_here(n->kids[1]) };
}

static void load_rules(plain_game *g, const node *piece_item) {
    const node *kinds = piece_item->kids[0];
    for (int i = 0; i < kinds->count; i++)
        for (int j = 2; j < piece_item->count; j++) {
            int kd = kind_find(g, kinds->kids[i]->text);
            if (kd != NO_KIND) rule_add(g, piece_item->kids[j], kd);
            for (int f = 0; f < g->family_count && kd == NO_KIND; f++)
                for (int m = 0; m < g->families[f].count && !strcmp(g->families[f].word, kinds->kids[i]->text); m++)
                    rule_add(g, piece_item->kids[j], g->families[f].first + m);
        }
}

static val option_value(const node *e) {
    if (!e) return v_truth(false);
    if (e->kind == NODE_E_NUMBER) return v_number(e->value);
    if (e->kind == NODE_E_MINUS && e->kids[0]->kind == NODE_E_NUMBER) return v_number(-e->kids[0]->value);
    if (e->kind == NODE_E_NAME && !strcmp(e->text, "yes")) return v_truth(true);
    if (e->kind == NODE_E_NAME && !strcmp(e->text, "no")) return v_truth(false);
    return (val){ .type = V_WORD, .word = e->text ? e->text : "" };
}

static bool word_among(const node *values, const char *word) {
    for (int i = 0; values && i < values->count; i++)
        if (values->kids[i]->text && !strcmp(values->kids[i]->text, word)) return true;
    return false;
}

/* Is it one of the words that an option may be? */
bool option_word(const plain_game *g, const char *word) {
    for (int i = 0; i < g->option_count; i++)
        if (g->options[i].v.type == V_WORD && word_among(g->options[i].node->kids[1], word)) return true;
    return false;
}

static void option_set(plain_game *g, const char *word, const char *value) {
    for (int i = 0; i < g->option_count; i++) {
        option *o = &g->options[i];
        if (strcmp(o->word, word)) continue;
        if (o->v.type == V_TRUTH && (!strcmp(value, "yes") || !strcmp(value, "no"))) o->v = v_truth(!strcmp(value, "yes"));
        else if (o->v.type == V_NUMBER) {
            char *rest;
            long long n = strtoll(value, &rest, 10);
            if (*rest || rest == value) fail(g, NULL, "option '%s' wants a number, not '%s'", word, value);
            const node *r = o->node->kids[1] && o->node->kids[1]->count ? o->node->kids[1]->kids[0] : NULL;
            if (r && r->kind == NODE_E_RANGE && (n < r->kids[0]->value || n > r->kids[1]->value)) fail(g, NULL, "option '%s' is out of its range: %lld", word, n);
            o->v = v_number(n);
        } else if (o->v.type == V_WORD && word_among(o->node->kids[1], value)) {
            char *s = heap_take(&g->slow, strlen(value) + 1);
            o->v = (val){ .type = V_WORD, .word = strcpy(s, value) };
        } else fail(g, NULL, "option '%s' cannot be '%s'", word, value);
        return;
    }
    fail(g, NULL, "no option named '%s'", word);
}

static void load_let(plain_game *g, const node *n) {
    let *l = NULL;
    for (int i = 0; i < g->let_count; i++)
        if (!strcmp(g->lets[i].word, n->text)) l = &g->lets[i];
    if (!l) *(l = GROW(g->lets, g->let_count)) = (let){ .word = n->text };
    l->params = n->kids[0];
    if (n->more) l->body[player_named(g, n->more, n)] = n->kids[1];
    else l->any = n->kids[1];
}

static void load_track(plain_game *g, const node *n) {
    track *t = NULL;
    for (int i = 0; i < g->track_count; i++)
        if (!strcmp(g->tracks[i].word, n->text)) t = &g->tracks[i];
    if (!t) *(t = GROW(g->tracks, g->track_count)) = (track){ .word = n->text };
    if (n->more) t->node[player_named(g, n->more, n)] = n;
    else t->any = n;
}

static void load_keep(plain_game *g, const node *n) {
    keep *k = GROW(g->keeps, g->keep_count);
    *k = (keep){ .word = n->text, .turn = n->flags & FLAG_TURN, .aside = n->flags & FLAG_ASIDE, .node = n };
    if (n->more) k->of = !strcmp(n->more, "player") ? OF_PLAYER : !strcmp(n->more, "cell") ? OF_CELL : !strcmp(n->more, "piece") ? OF_PIECE : OF_GAME;
    g->turn_keeps |= k->turn;
}

static void load_dice(plain_game *g, const node *n) {
    dice *d = GROW(g->dice, g->dice_count);
    *d = (dice){ .word = n->text, .n = n->count < DICE_MAX ? n->count : DICE_MAX, .node = n };
}

static void load_item(plain_game *g, const node *n) {
    switch ((int)n->kind) {
    case NODE_I_PIECE: load_kinds(g, n->kids[0]); break;
    case NODE_I_ZONE: *GROW(g->zones, g->zone_count) = (zone){ n->text, n->more != NULL, 0 }; break;
    case NODE_I_STACK: *GROW(g->stacks, g->stack_count) = (stack_item){ n->kids[0], n->kids[1], n->more != NULL }; break;
    case NODE_I_KEEP: load_keep(g, n); break;
    case NODE_I_LET: load_let(g, n); break;
    case NODE_I_TRACK: load_track(g, n); break;
    case NODE_I_DICE: load_dice(g, n); break;
    case NODE_I_OPTION: *GROW(g->options, g->option_count) = (option){ n->text, option_value(n->kids[0]), n }; break;
    case NODE_I_SETUP: g->setup = n->kids[0]; break;
    case NODE_I_TURN: g->turn = n->kids[0]; break;
    case NODE_I_SCORE: g->score = n->kids[0]; break;
    case NODE_I_END: *GROW(g->ends, g->end_count) = (end){ n->text, n->more, n->kids[0], n->kids[1] }; break;
    case NODE_I_RULE: rule_add(g, n, NO_KIND); break;
    default: break;
    }
}

/* ---- what needs the board ------------------------------------------------------------------------------------------------------ */
static void instances_make(plain_game *g) {
    for (int i = 0; i < g->zone_count; i++) {
        g->zones[i].first = g->instance_count;
        for (int p = 0; p < (g->zones[i].of_player ? g->player_count : 1); p++)
            *GROW(g->instances, g->instance_count) = (instance){ i, g->zones[i].of_player ? p : NOBODY };
    }
    g->on_track = heap_take(&g->slow, (size_t)g->instance_count + 1);
}

static sit nowhere(plain_game *g) { return (sit){ .st = state_new(g), .here = NONE, .start = NONE, .it = NONE }; }

static void keep_type_of(plain_game *g, const sit *s, keep *k, const node *type) {
    if (!type) {
        k->type = K_FLAG;
        k->high = 1;
    } else if (!(k->node->flags & FLAG_IN) && type->kind == NODE_E_RANGE) {
        k->type = K_NUMBER;
        k->low = eval_number(g, s, type->kids[0]);
        k->high = eval_number(g, s, type->kids[1]);
        k->start = k->low;
    } else {
        val v = eval(g, s, type);
        k->type = v.type == V_REL ? K_WAY : v.type == V_KINDS ? K_KIND : v.type == V_PLAYERS || v.type == V_PLAYER ? K_PLAYER : K_PLACE;
        k->high = INT32_MAX;
        if (v.type == V_RANGE) k->type = K_NUMBER, k->low = k->start = v.n, k->high = v.high;
    }
}

static bool says_taken(const node *n) {
    if (!n) return false;
    if (n->kind == NODE_E_NAME && !strcmp(n->text, "taken")) return true;
    for (int i = 0; i < n->count; i++)
        if (says_taken(n->kids[i])) return true;
    return false;
}

static void dice_make(plain_game *g) {
    sit s = nowhere(g);
    for (int i = 0; i < g->dice_count; i++)
        for (int j = 0; j < g->dice[i].n; j++) g->dice[i].faces[j] = eval_number(g, &s, g->dice[i].node->kids[j]);
}

static void keeps_make(plain_game *g) {
    sit s = nowhere(g);
    for (int i = 0; i < g->keep_count; i++) {
        keep *k = &g->keeps[i];
        keep_type_of(g, &s, k, k->node->kids[0]);
        if (k->of == OF_PIECE) {
            if (g->piece_keeps == PIECE_KEEPS) fail(g, k->node, "more than %d keeps of pieces", PIECE_KEEPS);
            k->at = g->piece_keeps++;
        } else {
            k->at = g->keep_room;
            g->keep_room += k->of == OF_GAME ? 1 : k->of == OF_PLAYER ? g->player_count : g->places;
        }
    }
    for (int i = 0; i < g->tree->root->count; i++) g->asks_taken |= g->tree->root->kids[i] && g->tree->root->kids[i]->kind != NODE_I_TEST && says_taken(g->tree->root->kids[i]);
    g->ready = true;
    s = nowhere(g);
    for (int i = 0; i < g->keep_count; i++)
        if (g->keeps[i].node->kids[1]) {
            val v = eval(g, &s, g->keeps[i].node->kids[1]);
            g->keeps[i].start = keep_code(g, &s, &g->keeps[i], &v, g->keeps[i].node);
        }
}

static void stacks_make(plain_game *g) {
    g->room = heap_take(&g->slow, (size_t)(g->cell_count + 1) * sizeof *g->room);
    g->mixed = heap_take(&g->slow, (size_t)(g->cell_count + 1) * sizeof *g->mixed);
    sit s = nowhere(g);
    int pile = 1;
    for (int c = 0; c < g->cell_count; c++) g->room[c] = 1;
    for (int i = 0; i < g->stack_count; i++) {
        int64_t n = eval_number(g, &s, g->stacks[i].size);
        if (n < 1 || n > 200) fail(g, g->stacks[i].size, "a stack of %lld cannot be made", (long long)n);
        set where = eval_set(g, &s, g->stacks[i].where);
        for (int c = 0; c < g->cell_count; c++)
            if (set_has(&where, c)) g->room[c] = (int16_t)n, g->mixed[c] = g->stacks[i].mixed;
        if (n > pile) pile = (int)n;
    }
    g->pile = pile;
}

/* A `prefer` belongs to the innermost block around it, but the braces of an `if` are none. */
static bool prefers(const node *n) {
    if (!n) return false;
    if (n->kind == NODE_A_PREFER) return true;
    if (n->kind == NODE_A_IF) {
        for (int i = 1; i < n->count; i++) {
            const node *x = n->kids[i];
            if (!x) continue;
            if (prefers(x)) return true;
            for (int j = 0; x->kind == NODE_A_SEQUENCE && j < x->count; j++)
                if (prefers(x->kids[j])) return true;
        }
    }
    return false;
}

static void local_add(plain_game *g, const char *word) {
    *GROW(g->local_words, g->local_count) = word;
}

static void mark(plain_game *g, const node *n, bool of_if) {
    if (!n) return;
    if (n->kind == NODE_A_PICK || n->kind == NODE_A_EACH || n->kind == NODE_A_LET) local_add(g, n->text);
    if (n->kind == NODE_PARAMS)
        for (int i = 0; i < n->count; i++) local_add(g, n->kids[i]->text);
    if (n->kind == NODE_A_SEQUENCE && !of_if)
        for (int i = 0; i < n->count; i++)
            if (prefers(n->kids[i])) g->marks[n->id] |= MARK_PREFER;
    for (int i = 0; i < n->count; i++) mark(g, n->kids[i], n->kind == NODE_A_IF);
}

/* Can more than one kind be dropped? Then drops are written with the kind. */
static void mark_drops(plain_game *g, const node *n, int *only) {
    if (!n) return;
    if (n->kind == NODE_A_DROP) {
        sit s = nowhere(g);
        s.me = 0;
        const node *k = n->kids[0];
        if (k->kind == NODE_E_ROW) k = k->kids[k->count - 1];
        const name *w = k->kind == NODE_E_NAME ? name_of(g, k) : NULL;
        bool told = w ? w->sort == N_KIND || w->sort == N_FAMILY : k->kind == NODE_E_OR && static_type(g, &s, k) == V_KINDS;
        if (!told) g->drops_many |= g->kind_count > 1;
        else {
            val v = eval(g, &s, k);
            for (int i = 0; i < v.count; i++) {
                g->drops_many |= *only != NO_KIND && *only != (int)v.list[i];
                *only = (int)v.list[i];
            }
        }
    }
    for (int i = 0; i < n->count; i++) mark_drops(g, n->kids[i], only);
}

bool owns_prefer(const plain_game *g, const node *n) { return g->marks[n->id] & MARK_PREFER; }

piece piece_new(const plain_game *g, int owner, int kd) {
    piece p = { .kind = (int16_t)kd, .owner = (int8_t)owner };
    for (int i = 0; i < g->keep_count; i++)
        if (g->keeps[i].of == OF_PIECE) p.keeps[g->keeps[i].at] = (int32_t)g->keeps[i].start;
    return p;
}

void game_load(plain_game *g, const plain_setting *settings, size_t count, int players) {
    const node *root = g->tree->root;
    size_t n = g->tree->node_count + 1;
    g->named = heap_take(&g->slow, n * sizeof *g->named);
    g->marks = heap_take(&g->slow, n);
    g->known = heap_take(&g->slow, n * sizeof *g->known);
    g->test_moves = -1;
    const node *board = NULL;
    for (int i = 0; i < root->count; i++) {
        if (root->kids[i]->kind == NODE_I_PLAYERS) load_players(g, root->kids[i], players);
        if (root->kids[i]->kind == NODE_I_BOARD) board = root->kids[i];
    }
    if (!g->player_count) fail(g, NULL, "the file has no players");
    for (int i = 0; i < root->count; i++) load_item(g, root->kids[i]);
    for (int i = 0; i < root->count; i++)
        if (root->kids[i]->kind == NODE_I_PIECE) load_rules(g, root->kids[i]);
    val *standards = heap_take(&g->slow, (size_t)(g->option_count + 1) * sizeof *standards);
    for (int i = 0; i < g->option_count; i++) standards[i] = g->options[i].v;
    for (size_t i = 0; i < count; i++) option_set(g, settings[i].name, settings[i].value);
    mark(g, root, false);
    instances_make(g);
    settle_names(g);
    choices_check(g, standards);
    board_make(g, board);
    settle_names(g);
    dice_make(g);
    keeps_make(g);
    tracks_make(g);
    stacks_make(g);
    int only = NO_KIND;
    mark_drops(g, root, &only);
    if (!g->turn) fail(g, NULL, "the file has no turn");
    heap_drop(&g->fast);
}
