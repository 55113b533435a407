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

uint8_t hd_kind_group(uint8_t kind)
{
    int group = commuting_group(kind);
    return hd_kind_looks(kind) ? 0 : group ? (uint8_t)group : HD_NO_GROUP;
}

int32_t hd_kind_adds(uint8_t kind)
{
    switch (kind) {
    case HD_LOCK:
    case HD_ONCE_BEGIN:
    case HD_RDLOCK:
    case HD_SEM_POST:
        return 1;
    case HD_UNLOCK:
    case HD_ONCE_END:
    case HD_RDUNLOCK:
    case HD_SEM_WAIT:
        return -1;
    case HD_WRLOCK:
        return HD_WRITER;
    case HD_WRUNLOCK:
        return -HD_WRITER;
    default:
        return 0;
    }
}

hd_kind_need hd_kind_needs(uint8_t kind)
{
    switch (kind) {
    case HD_LOCK:
    case HD_ONCE_BEGIN:
    case HD_ONCE_DONE:
    case HD_WRLOCK:
        return HD_NEEDS_ZERO;
    case HD_RDLOCK:
        return HD_NEEDS_NO_WRITER;
    case HD_SEM_WAIT:
        return HD_NEEDS_POSITIVE;
    default:
        return HD_NEEDS_NOTHING;
    }
}

bool hd_kind_enabled(uint8_t kind, int64_t held)
{
    switch (hd_kind_needs(kind)) {
    case HD_NEEDS_ZERO:
        return held == 0;
    case HD_NEEDS_POSITIVE:
        return held > 0;
    case HD_NEEDS_NO_WRITER:
        return held < HD_WRITER;
    default:
        return true;
    }
}

/* The relation as a table, once. */
__attribute__((constructor)) static void fill_in(void)
{
    for (uint8_t a = 0; a < HD_OP_KINDS; a++) {
        facts[a].total = !hd_kind_looks(a) && !commuting_group(a);
        for (uint8_t b = 0; b < HD_OP_KINDS; b++)
            facts[a].conflicts |= (uint64_t)conflict(a, b) << b;
    }
}
