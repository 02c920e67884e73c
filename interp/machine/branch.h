/* Branches: what a leg or a drop with a further choice behind it comes to, counted instead of listed. Included once per width by vm.c.
 *
 * Where a plan's item branches (compile/branch.c), each of its bits is made, and the code behind it run in mode BRANCH to where the decision ends, or
 * to its last choice. That is counted (counted.h): so many options behind these choices. No two of them are the same move:
 *
 *     of the first choice   a piece of the mover's leaves one place for another where none of his stands, or one of his comes in. Of his pieces
 *                           nothing else changes, so the position tells which it was.
 *     of the last           a piece that is not his and stands on a cell goes, or one comes in that is not like the one moved.
 *
 * The compiler proves of the code what can be proved of it. What depends on the position is looked at here; where it is otherwise, collecting fails
 * and the decision is listed. */
#ifndef JOC_BRANCH_H
#define JOC_BRANCH_H

/* May this bit of an item be told from all others by where the mover's pieces stand? */
static bool branch_apart(const vm *v, const batch *b, int x)
{
    return b->item->drop || (set_has(S(SET_OWN), walker_of(v, b, x)) && !set_has(S(SET_OWN), x));
}

/* The run at hand ends the decision. */
static void branch_ends(vm *v)
{
    v->branched = true;
    counted_add(v, H(H_CHOSEN) > 0, 1, -1);
}

/* ... or needs one choice more: a place of a set. */
static void branch_places(vm *v, const uint64_t *places, bool others)
{
    uint64_t wrong = 0;
    EACH_WORD(k) wrong |= places[k] & (others ? ~cells_word(G(v), k) | S(SET_OWN)[k] : ~cells_word(G(v), k));
    if (wrong) { v->collect_failed = true; return; }
    v->branched = true;
    counted_add(v, true, set_count(places), -1);
}

/* ... or has an `else`: what follows it counts where the first way has nothing. */
static void branch_else(vm *v, const ins *i, uint32_t pc)
{
    const uint32_t before = v->batch_total;
    const size_t top = v->path_top;
    path_push(v, 0);
    run(v, pc + 1);
    v->path_top = top;
    if (v->batch_total != before || v->collect_failed) return;
    path_push(v, 1);
    run(v, (uint32_t)i->d);
    v->path_top = top;
}

/* What is taken behind the first choice must not be the mover's. */
static void branch_takes(vm *v, const uint64_t *taken) { v->collect_failed |= set_meets(taken, S(SET_OWN)); }

/* Was nothing else found that might be the same move as one counted here? */
static bool branches_alone(const vm *v) { return !v->leaf_count && !v->ends_counted && !v->collect_options && !v->collect_walks; }
#endif
