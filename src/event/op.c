#include "event/op.h"

static hd_kind_facts facts[HD_OP_KINDS] = {
    [HD_NONE] = { .object = HD_OBJECT_NONE, .text = "nothing" },
#define OP(name, class, words) [HD_##name] = { .object = HD_OBJECT_##class, .text = words },
#include "abi/ops.def"
#undef OP
};

const hd_kind_facts *const hd_kinds = facts;

/* Kinds that change their object and yet commute with each other. */
static int commuting_group(uint8_t kind)
{
    switch (kind) {
    case HD_RDLOCK:
    case HD_RDUNLOCK:
        return 1;
    case HD_SEM_POST:
        return 2;
    case HD_COND_WAIT:
        return 3;
    case HD_BARRIER_ARRIVE:
        return 4;
    default:
        return 0;
    }
}

static bool conflict(uint8_t a, uint8_t b)
{
    if (a == HD_EXIT || b == HD_EXIT)
        return true;
    if (facts[a].object != facts[b].object || facts[a].object == HD_OBJECT_NONE)
        return false;
    if (hd_kind_looks(a) && hd_kind_looks(b))
        return false;
    int group = commuting_group(a);
    return !group || group != commuting_group(b);
}

/* The relation as a table, once. */
__attribute__((constructor)) static void fill_in(void)
{
    for (uint8_t a = 0; a < HD_OP_KINDS; a++) {
        facts[a].total = !hd_kind_looks(a) && !commuting_group(a);
        for (uint8_t b = 0; b < HD_OP_KINDS; b++)
            facts[a].conflicts[b] = conflict(a, b);
    }
}
