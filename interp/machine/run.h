/* The interpreter. Included once per width by vm.c. */
#ifndef JOC_RUN_H
#define JOC_RUN_H

INLINE void run_spends(vm *v)
{
    if (v->budget-- == 0) { v->budget = 1; fault(v, "the computation of one decision goes on too long"); }
}

/* May a run begin here? */
INLINE bool run_begins(vm *v, uint32_t pc)
{
    run_spends(v);
    if (v->stop && (v->mode != MODE_STRAIGHT || v->fault)) return false;
    if (++v->depth > DEPTH_MAX) { fault(v, "the choices of one decision nest too deeply"); v->fault_pc = pc; v->depth--; return false; }
    return true;
}

static void run(vm *v, uint32_t pc)
{
    const ins *const code = G(v)->code;
    if (!run_begins(v, pc)) return;
#ifdef JOC_NATIVE
    const ins *i = code;
    uint32_t to;
#include "code.inc"
#else
    static const void *const labels[OP_OPCODES] = {
#define OP(name, notation) &&L_##name,
#include "interp/op.def"
#undef OP
    };
    const ins *i = &code[pc];
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
    /* one jump for all: a jump at the end of every instruction takes sanitizers minutes to compile */
#define DISPATCH goto next
next:
    goto *labels[i->op];
#else
#define DISPATCH goto *labels[i->op]
    DISPATCH;
#endif
#define OP(name, notation) \
    L_##name: { \
        const uint32_t to = do_##name(v, i); \
        if (to == OUT) goto out; \
        i = to == ON ? i + 1 : code + to; \
        DISPATCH; \
    }
#include "interp/op.def"
#undef OP
#undef DISPATCH
#endif
out:
    if (v->fault && !v->fault_pc) v->fault_pc = pc_of(v, i);
    v->depth--;
}
#ifdef JOC_NATIVE
#include "runs.inc"
#endif
#endif
