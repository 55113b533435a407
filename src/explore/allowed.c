#include "explore/allowed.h"

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct function {
    uint32_t first, count; /* its items */
    uint32_t unit; /* the number of the unit's first function */
} function;

/* A variable. */
typedef struct named {
    uint64_t address, size;
    bool escapes;
    bool points; /* it is a pointer variable in all units, … */
    bool gives, holds_unknown; /* … HD_ALLOWED_GIVES, HD_ALLOWED_HOLDS_UNKNOWN */
} named;

typedef struct holding {
    uint64_t variable, site;
} holding;

enum { SITE_CONFINED = 1, SITE_ESCAPES = 2 };

typedef hd_vec(hd_allowed_range) ranges;

struct hd_allowed {
    hd_memory *memory;
    const hd_allowed_item *items;
    uint64_t base;
    bool unbounded; /* any thread may do anything */
    bool foreign; /* it calls functions that nothing is known of: they may allocate, too */
    bool takes_anything; /* a call of an unknown function may do anything */
    hd_vec(function) functions;
    hd_vec(uint32_t) taken; /* functions to which unknown pointers may point */
    hd_map by_address; /* link-time address → number of the function + 1 */
    hd_vec(named) variables; /* by address */
    hd_vec(holding) holdings;
    hd_map sites; /* number → SITE_… */
    uint32_t confined_sites;
    hd_map bounds; /* start function → its hd_bound */
};

/* --- reading the items ------------------------------------------------------------------- */

static void note_variable(hd_allowed *a, const hd_allowed_item *item)
{
    if (item->address)
        hd_vec_push(&a->variables,
            ((named) { .address = item->address,
                .size = item->number,
                .escapes = item->kind == HD_ALLOWED_ESCAPES,
                .points = item->kind == HD_ALLOWED_POINTS }));
}

static void note_site(hd_allowed *a, uint64_t number, bool escapes)
{
    uint64_t *site = hd_map_put(&a->sites, number);
    if (!*site || escapes)
        *site = escapes ? SITE_ESCAPES : SITE_CONFINED;
}

static void begin_function(hd_allowed *a, const hd_allowed_item *item, uint32_t unit)
{
    function f = { .first = (uint32_t)(item - a->items) + 1, .unit = unit };
    hd_vec_push(&a->functions, f);
    if (item->address)
        *hd_map_put(&a->by_address, item->address) = a->functions.count;
}

static void read_items(hd_allowed *a, size_t count)
{
    uint32_t unit = 0;
    for (size_t i = 0; i < count; i++) {
        const hd_allowed_item *item = &a->items[i];
        switch (item->kind) {
        case HD_ALLOWED_UNIT:
            unit = (uint32_t)a->functions.count;
            break;
        case HD_ALLOWED_FUNCTION:
            begin_function(a, item, unit);
            break;
        case HD_ALLOWED_UNBOUNDED:
            a->unbounded = true;
            break;
        case HD_ALLOWED_TAKEN:
            hd_vec_push(&a->taken, unit + (uint32_t)item->number);
            break;
        case HD_ALLOWED_HOLDS:
            hd_vec_push(&a->holdings, ((holding) { item->address, item->number }));
            break;
        case HD_ALLOWED_SITE:
        case HD_ALLOWED_SITE_ESCAPES:
            note_site(a, item->number, item->kind == HD_ALLOWED_SITE_ESCAPES);
            break;
        case HD_ALLOWED_STAYS:
        case HD_ALLOWED_POINTS:
        case HD_ALLOWED_ESCAPES:
            note_variable(a, item);
            break;
        default:
            break;
        }
        if (item->kind >= HD_ALLOWED_READS)
            hd_vec_last(&a->functions)->count++;
    }
}

/* Functions of other units whose address is taken: all units are known now. */
static void find_taken(hd_allowed *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a->items[i].kind != HD_ALLOWED_TAKEN_ELSEWHERE)
            continue;
        const uint64_t *number = hd_map_get(&a->by_address, a->items[i].address);
        if (a->items[i].address && number)
            hd_vec_push(&a->taken, (uint32_t)*number - 1);
        else
            a->takes_anything = true;
    }
}

static int by_address(const void *left, const void *right)
{
    const named *x = left, *y = right;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* One entry per variable: the largest of its sizes, and whether it escapes anywhere. */
static void merge_variables(hd_allowed *a)
{
    size_t kept = 0;
    named *v = a->variables.items;
    if (a->variables.count)
        qsort(v, a->variables.count, sizeof *v, by_address);
    for (size_t i = 0; i < a->variables.count; i++) {
        if (kept && v[kept - 1].address == v[i].address) {
            v[kept - 1].escapes |= v[i].escapes;
            v[kept - 1].points &= v[i].points;
            v[kept - 1].size = v[i].size > v[kept - 1].size ? v[i].size : v[kept - 1].size;
        } else {
            v[kept++] = v[i];
        }
    }
    a->variables.count = kept;
}

static named *find_variable(const hd_allowed *a, uint64_t address)
{
    size_t low = 0, high = a->variables.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->variables.items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &a->variables.items[low - 1] : NULL;
}

/* The variable at exactly this address, if only its own loads and stores use it, and as a pointer. */
static named *pointer_at(const hd_allowed *a, uint64_t address)
{
    named *v = address ? find_variable(a, address) : NULL;
    return v && v->address == address && v->points && !v->escapes ? v : NULL;
}

/* Of pointer variables: what they hold. What an item says of a variable that the program no longer has may be true of
 * any. */
static void note_pointers(hd_allowed *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        named *v = pointer_at(a, a->items[i].address);
        bool calls = a->items[i].kind == HD_ALLOWED_FOREIGN && a->items[i].address;
        a->foreign |= calls && !hd_map_get(&a->by_address, a->items[i].address);
        if (a->items[i].kind == HD_ALLOWED_GIVES && v)
            v->gives = true;
        else if (a->items[i].kind == HD_ALLOWED_HOLDS_UNKNOWN && v)
            v->holds_unknown = true;
    }
    for (size_t i = 0; i < a->holdings.count; i++) {
        const named *v = pointer_at(a, a->holdings.items[i].variable);
        if (!v || v->gives)
            note_site(a, a->holdings.items[i].site, true);
    }
    for (size_t i = 0; i < a->sites.room && !a->foreign; i++)
        a->confined_sites += a->sites.slots[i].used && a->sites.slots[i].value == SITE_CONFINED;
}

static bool is_confined_site(const hd_allowed *a, uint64_t number)
{
    const uint64_t *site = hd_map_get(&a->sites, number);
    return site && *site == SITE_CONFINED && !a->foreign;
}

hd_allowed *hd_allowed_open(const hd_allowed_item *items, size_t count, uint64_t base, hd_memory *memory)
{
    hd_allowed *a = hd_alloc(memory, sizeof *a);
    a->memory = a->functions.memory = a->taken.memory = a->variables.memory = a->holdings.memory = memory;
    a->items = count ? memcpy(hd_alloc(memory, count * sizeof *items), items, count * sizeof *items) : NULL;
    a->base = base;
    hd_map_init(&a->by_address, memory);
    hd_map_init(&a->bounds, memory);
    hd_map_init(&a->sites, memory);
    read_items(a, count);
    find_taken(a, count);
    merge_variables(a);
    note_pointers(a, count);
    return a;
}

/* --- bounds ------------------------------------------------------------------------------ */

typedef struct collection {
    hd_allowed *allowed;
    hd_bound *bound;
    ranges ranges;
    hd_vec(hd_allowed_object) objects;
    hd_vec(uint32_t) open; /* functions whose items are not collected yet */
    hd_map seen; /* function → 1 */
} collection;

static void visit(collection *c, uint32_t number)
{
    uint64_t *seen = hd_map_put(&c->seen, number);
    if (!*seen)
        hd_vec_push(&c->open, number);
    *seen = 1;
}

static void visit_address(collection *c, uint64_t address)
{
    const uint64_t *number = address ? hd_map_get(&c->allowed->by_address, address) : NULL;
    if (number)
        visit(c, (uint32_t)*number - 1);
    else
        c->bound->anything = true;
}

static void visit_taken(collection *c)
{
    c->bound->anything |= c->allowed->takes_anything;
    for (size_t i = 0; i < c->allowed->taken.count; i++)
        visit(c, c->allowed->taken.items[i]);
}

static void add_range(collection *c, const hd_allowed_item *item)
{
    bool uses = item->kind == HD_ALLOWED_USES, changes = item->kind != HD_ALLOWED_READS;
    c->bound->anything |= !item->address;
    hd_vec_push(
        &c->ranges, ((hd_allowed_range) { c->allowed->base + item->address, item->number, changes, uses, HD_NO_SITE }));
}

/* Objects of the heap that the item names, by their site or by the pointer variable that holds them. */
static void add_objects(collection *c, const hd_allowed_item *item)
{
    const hd_allowed *a = c->allowed;
    bool changes = item->kind == HD_ALLOWED_CHANGES_OBJECT;
    const named *v = pointer_at(a, item->address);
    for (size_t i = 0; i < a->holdings.count && v; i++)
        if (a->holdings.items[i].variable == item->address)
            hd_vec_push(&c->objects, ((hd_allowed_object) { a->holdings.items[i].site, changes }));
    if (!item->address && item->number)
        hd_vec_push(&c->objects, ((hd_allowed_object) { item->number, changes }));
    else if (!v || v->holds_unknown)
        *(changes ? &c->bound->changes_unknown : &c->bound->reads_unknown) = true;
}

static void collect_item(collection *c, const hd_allowed_item *item, uint32_t unit)
{
    switch (item->kind) {
    case HD_ALLOWED_READS:
    case HD_ALLOWED_CHANGES:
    case HD_ALLOWED_USES:
        add_range(c, item);
        break;
    case HD_ALLOWED_READS_UNKNOWN:
        c->bound->reads_unknown = true;
        break;
    case HD_ALLOWED_CHANGES_UNKNOWN:
        c->bound->changes_unknown = true;
        break;
    case HD_ALLOWED_USES_UNKNOWN:
        c->bound->uses_unknown = true;
        break;
    case HD_ALLOWED_READS_OBJECT:
    case HD_ALLOWED_CHANGES_OBJECT:
        add_objects(c, item);
        break;
    case HD_ALLOWED_CALLS:
        visit(c, unit + (uint32_t)item->number);
        break;
    case HD_ALLOWED_CALLS_ELSEWHERE:
        visit_address(c, item->address);
        break;
    case HD_ALLOWED_CALLS_UNKNOWN:
        visit_taken(c);
        break;
    default:
        c->bound->anything = true;
    }
}

static hd_bound *compute(hd_allowed *a, const void *start)
{
    collection c = { .allowed = a, .bound = hd_alloc(a->memory, sizeof *c.bound) };
    c.ranges.memory = c.open.memory = c.objects.memory = a->memory;
    hd_map_init(&c.seen, a->memory);
    c.bound->anything = !start || a->unbounded;
    if (start)
        visit_address(&c, (uint64_t)(uintptr_t)start - a->base);
    while (c.open.count && !c.bound->anything) {
        function f = a->functions.items[hd_vec_pop(&c.open)];
        for (uint32_t i = 0; i < f.count; i++)
            collect_item(&c, &a->items[f.first + i], f.unit);
    }
    c.bound->ranges = c.ranges.items;
    c.bound->count = (uint32_t)c.ranges.count;
    c.bound->objects = c.objects.items;
    c.bound->object_count = (uint32_t)c.objects.count;
    hd_vec_fini(&c.open);
    hd_map_fini(&c.seen);
    return c.bound;
}

const hd_bound *hd_allowed_of(hd_allowed *a, const void *start)
{
    uint64_t *known = hd_map_put(&a->bounds, (uint64_t)(uintptr_t)start);
    if (!*known) {
        hd_bound *bound = compute(a, start);
        *hd_map_put(&a->bounds, (uint64_t)(uintptr_t)start) = (uint64_t)(uintptr_t)bound;
        return bound;
    }
    return (const hd_bound *)(uintptr_t)*known;
}

/* --- comparing ------------------------------------------------------------------------------ */

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

/* Is all of it part of a variable that only accesses by name reach? */
static bool is_confined(const hd_allowed *a, uint64_t address, uint64_t size)
{
    uint64_t at = address - a->base;
    const named *v = find_variable(a, at);
    return v && !v->escapes && at + size <= v->address + v->size;
}

bool hd_allowed_meets(const hd_allowed *a, const hd_bound *b, hd_allowed_range bytes)
{
    if (b->anything)
        return true;
    for (uint32_t i = 0; i < b->count; i++)
        if ((b->ranges[i].changes || bytes.changes)
            && overlap(b->ranges[i].address, b->ranges[i].size, bytes.address, bytes.size))
            return true;
    for (uint32_t i = 0; i < b->object_count; i++)
        if ((b->objects[i].changes || bytes.changes) && (bytes.site == HD_ANY_SITE || bytes.site == b->objects[i].site))
            return true;
    bool by_pointer = b->changes_unknown || b->uses_unknown || (b->reads_unknown && bytes.changes);
    return by_pointer && !is_confined_site(a, bytes.site) && !is_confined(a, bytes.address, bytes.size);
}

/* The block is described as it is at the end of the execution. If another one had its bytes before, the operation may
 * have been on that. */
uint64_t hd_allowed_site(const hd_allowed *a, const hd_execution *e, uint64_t address)
{
    hd_block_view block;
    if (address < HD_HEAP_BASE || address >= HD_STACK_BASE)
        return HD_NO_SITE;
    if (!a->confined_sites || !e->block || !e->block(address, &block) || block.reused || !block.allocated)
        return HD_ANY_SITE;
    return hd_allowed_site_number(block.allocated->file, block.allocated->line, block.allocated->column);
}

static bool object_meets(const hd_allowed *a, hd_allowed_object o, const hd_bound *b)
{
    bool by_pointer = b->changes_unknown || b->uses_unknown || (b->reads_unknown && o.changes);
    for (uint32_t i = 0; i < b->object_count; i++)
        if (b->objects[i].site == o.site && (b->objects[i].changes || o.changes))
            return true;
    return by_pointer && !is_confined_site(a, o.site);
}

static bool objects_meet(const hd_allowed *a, const hd_bound *x, const hd_bound *b)
{
    for (uint32_t i = 0; i < x->object_count; i++)
        if (object_meets(a, x->objects[i], b))
            return true;
    return false;
}

bool hd_allowed_unknown_meets(const hd_allowed *a, const hd_bound *unknown, const hd_bound *b)
{
    bool changes = unknown->changes_unknown, uses = changes || unknown->reads_unknown;
    if (b->anything)
        return uses || unknown->object_count;
    if (objects_meet(a, unknown, b))
        return true;
    if (!uses)
        return false;
    if (b->changes_unknown || b->uses_unknown || (b->reads_unknown && changes))
        return true;
    for (uint32_t i = 0; i < b->count; i++)
        if ((b->ranges[i].changes || changes) && !is_confined(a, b->ranges[i].address, b->ranges[i].size))
            return true;
    for (uint32_t i = 0; i < b->object_count; i++)
        if ((b->objects[i].changes || changes) && !is_confined_site(a, b->objects[i].site))
            return true;
    return false;
}
