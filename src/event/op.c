#include "event/op.h"

static const struct {
    hd_object_class object;
    const char *text;
} kinds[] = {
    [HD_NONE] = { HD_OBJECT_NONE, "nothing" },
#define OP(name, class, words) [HD_##name] = { HD_OBJECT_##class, words },
#include "abi/ops.def"
#undef OP
};

hd_object_class hd_op_class(uint8_t kind)
{
    return kinds[kind].object;
}

const char *hd_op_text(uint8_t kind)
{
    return kinds[kind].text;
}

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

bool hd_kinds_conflict(uint8_t a, uint8_t b)
{
    if (hd_kind_looks(a) && hd_kind_looks(b))
        return false;
    int group = commuting_group(a);
    return !group || group != commuting_group(b);
}

bool hd_kind_is_total(uint8_t kind)
{
    return !hd_kind_looks(kind) && !commuting_group(kind);
}

bool hd_ops_conflict(const hd_op *a, const hd_op *b)
{
    if (a->kind == HD_EXIT || b->kind == HD_EXIT)
        return true;
    hd_object_class class = hd_op_class(a->kind);
    if (a->object != b->object || class != hd_op_class(b->kind) || class == HD_OBJECT_NONE)
        return false;
    if (class == HD_OBJECT_MEMORY && !(a->mask & b->mask))
        return false;
    return hd_kinds_conflict(a->kind, b->kind);
}

uint64_t hd_op_key(const hd_op *op)
{
    return op->object ^ (uint64_t)hd_op_class(op->kind) << 56;
}
