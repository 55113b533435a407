#include "event/op.h"

const char *hd_op_text(uint8_t kind)
{
    static const char *const texts[HD_OP_KINDS] = {
        [HD_NONE] = "nothing",
#define OP(name, class, effect, commutes, sync, adds, needs, decided, otherwise, role, also, outcomes, text) \
    [HD_##name] = text,
#include "abi/ops.def"
    };
    return texts[kind];
}

const char *hd_op_object_text(uint8_t kind)
{
    static const char *const texts[HD_OBJECT_CLASSES] = {
#define OBJECT(name, starts, waits_for, destruction, text) [HD_OBJECT_##name] = text,
#include "abi/ops.def"
    };
    return texts[hd_op_class(kind)];
}

static hd_conflict_row conflicts[HD_OP_KINDS];
const hd_conflict_row *const hd_conflicts = conflicts;

static bool conflict(uint8_t a, uint8_t b)
{
    if (hd_kind_exits(a) || hd_kind_exits(b))
        return true;
    if (hd_op_class(a) != hd_op_class(b) || hd_op_class(a) == HD_OBJECT_NONE)
        return false;
    return hd_groups_conflict(hd_kinds[a].group, hd_kinds[b].group);
}

/* Fills in the table when the program is loaded; it never changes afterwards. */
__attribute__((constructor)) static void fill_in(void)
{
    for (uint8_t a = 0; a < HD_OP_KINDS; a++)
        for (uint8_t b = 0; b < HD_OP_KINDS; b++)
            conflicts[a][b] = conflict(a, b);
}
