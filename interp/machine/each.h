/* Going through plans. Where they are known and few, each item and shot gets code of its own (interp/native/write.c says how). */
#ifndef RUN
#define RUN(v, pc) run(v, pc)           /* where the instruction may be known */
#define NEST(v, pc) nest_known(v, pc)   /* from a choice that is counted to the one behind it */
#define OTHERS(v, pc) collect_others(v, pc)
#endif
#ifndef ASKS
#define ASKS(v, pc) false               /* is there code that asks an option of this pick, before it is tried? */
#define ASKED(v, pc) ((void)(pc), true) /* the same for the option just chosen: may it be tried? */
#endif
#ifndef DRAW_TURN
#define DRAW_TURN(v) run(v, G(v)->turn_pc)
#endif
#ifndef COLLECT
#define COLLECT(v, pc) run(v, pc)       /* the same, where first choices are collected */
#define COLLECT_AT(v, name, i) collect_##name(v, i)
#define EACH_WAY_ON(i, j, ...) for (int j = 0; j < (i)->e; j++) { __VA_ARGS__ }
#endif
#ifndef LIST
#define LIST(v, pc) run(v, pc)          /* an option of a choice goes on, where the instruction may be known */
#define LIST_FROM(v, pc) run(v, pc)     /* a decision is listed from there */
#define WALK(v, pc) run(v, pc)          /* in mode WALK, where the instruction may be known */
#endif
#define ITEMS_OF(p, item, ...) for (int j_ = 0; j_ < (p)->count; j_++) { const plan_item *const item = &G(v)->plan_items[(p)->first + j_]; __VA_ARGS__; }
#define SHOTS_OF(item, mover, s, ...) for (const shot *s = (item)->shots[mover], *end_ = s + (item)->shot_count[mover]; s < end_; s++) { __VA_ARGS__; }
#define LEG_WAYS_OF(item, dir, ...) for (uint64_t m_ = ways_of(v, &G(v)->relations[G(v)->legs[(item)->leg].relation]); m_; m_ &= m_ - 1) { const int dir = __builtin_ctzll(m_); __VA_ARGS__ }
#ifndef EACH_ITEM
#define EACH_ITEM(p, item, ...) ITEMS_OF(p, item, __VA_ARGS__)
#define EACH_SHOT(item, mover, s, ...) SHOTS_OF(item, mover, s, __VA_ARGS__)
#define EACH_LEG_WAY(item, dir, ...) LEG_WAYS_OF(item, dir, __VA_ARGS__)
#define WITH_DRAWN(p, item, ...) __VA_ARGS__
#define WITH_ITEM(...) __VA_ARGS__      /* with `item` of a plan and `pick`, the instruction it belongs to */
#endif
