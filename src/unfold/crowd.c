/* Indexes for long lists, called crowds: see "crowds" in unfold_internal.h, and docs/algorithms/unfold.md. */
#include "unfold/unfold_internal.h"

/* Lists longer than FEW become crowds. For those longer than MANY, trees of threads are candidates too, if the objects'
 * trees are not worth ENOUGH. SAMPLE elements are inspected to choose a tree; another tree must be better by MARGIN. */
enum { FEW = 16, MANY = 64, SAMPLE = 64, MARGIN = SAMPLE / 2, ENOUGH = 8 * SAMPLE };

/* --- lists ------------------------------------------------------------------------------------ */

static uint32_t first_of(const hd_unfolding *u, hd_crowd_list list, uint32_t at)
{
    switch (list) {
    case HD_CROWD_MEETINGS:
        return u->conditions.items[at].meetings;
    case HD_CROWD_ACCESSES:
        return u->conditions.items[at].group_accesses;
    case HD_CROWD_CHILDREN:
        return u->conditions.items[at].child;
    default:
        return hd_unfold_event_after(u, at, list - HD_CROWD_EVENTS);
    }
}

static uint32_t next_of(const hd_unfolding *u, hd_crowd_list list, uint32_t number)
{
    switch (list) {
    case HD_CROWD_MEETINGS:
        return u->meetings.items[number].next;
    case HD_CROWD_ACCESSES:
        return u->accesses.items[number].link;
    case HD_CROWD_CHILDREN:
        return u->conditions.items[number].sibling;
    default:
        return u->successors.items[number].beside;
    }
}

static void gather_list(hd_unfolding *u, hd_crowd_list list, uint32_t at)
{
    for (uint32_t n = first_of(u, list, at); n; n = next_of(u, list, n))
        hd_vec_push(&u->near, n);
}

/* --- trees ------------------------------------------------------------------------------------------
 *
 * The trees of contended objects (even numbers) and those of threads' events (odd numbers). */

static bool is_of_thread(uint32_t tree)
{
    return tree & 1;
}

static bool is_tree(const hd_unfolding *u, uint32_t tree)
{
    return tree / 2 < (is_of_thread(tree) ? u->clock_width : u->slots.count);
}

static uint32_t depth_of(const hd_unfolding *u, uint32_t tree, uint32_t key)
{
    return is_of_thread(tree) ? u->events.items[key].depth : u->conditions.items[key].depth;
}

static uint32_t parent_of(const hd_unfolding *u, uint32_t tree, uint32_t key)
{
    return is_of_thread(tree) ? u->events.items[key].before : u->conditions.items[key].parent;
}

static uint32_t child_of(const hd_unfolding *u, uint32_t tree, uint32_t key)
{
    return is_of_thread(tree) ? hd_unfold_event_after(u, key, tree / 2) : u->conditions.items[key].child;
}

static uint32_t sibling_of(const hd_unfolding *u, uint32_t tree, uint32_t key)
{
    return is_of_thread(tree) ? u->successors.items[key].beside : u->conditions.items[key].sibling;
}

/* The next node below `top` in depth-first order, down to a depth; `top` at the end. */
static uint32_t next_below(const hd_unfolding *u, uint32_t tree, uint32_t key, uint32_t top, uint32_t deepest)
{
    uint32_t child = depth_of(u, tree, key) < deepest ? child_of(u, tree, key) : 0;
    if (child)
        return child;
    while (key != top && !sibling_of(u, tree, key))
        key = parent_of(u, tree, key);
    return key == top ? top : sibling_of(u, tree, key);
}

static bool are_apart(const hd_unfolding *u, uint32_t tree, uint32_t a, uint32_t b)
{
    if (depth_of(u, tree, a) > depth_of(u, tree, b))
        return are_apart(u, tree, b, a);
    uint32_t depth = depth_of(u, tree, a);
    return a
        != (is_of_thread(tree) ? hd_unfold_event_at_depth(u, b, depth) : hd_unfold_condition_at_depth(u, b, depth));
}

/* --- keys --------------------------------------------------------------------------------------- */

static uint32_t key_of_event(const hd_unfolding *u, uint32_t e, uint32_t tree)
{
    return is_of_thread(tree) ? clock_of(u, e)[tree / 2] : columns_of(u, e)[tree / 2].condition;
}

/* The accesses of a closed set are in one configuration, so their keys are on one path: the deepest is the key. */
static uint32_t key_of_condition(const hd_unfolding *u, uint32_t c, uint32_t tree)
{
    const condition *k = &u->conditions.items[c];
    uint32_t last = key_of_event(u, maker_of(u, c), tree);
    for (uint32_t i = 0; i < set_size(u, k); i++) {
        uint32_t key = key_of_event(u, u->accesses.items[set_of(u, k)[i]].event, tree);
        last = depth_of(u, tree, key) > depth_of(u, tree, last) ? key : last;
    }
    return last;
}

static uint32_t key_of(const hd_unfolding *u, hd_crowd_list list, uint32_t number, uint32_t tree)
{
    switch (list) {
    case HD_CROWD_MEETINGS:
        return key_of_event(u, u->wishes.items[u->meetings.items[number].wish].cone, tree);
    case HD_CROWD_ACCESSES:
        return key_of_event(u, u->accesses.items[number].event, tree);
    case HD_CROWD_CHILDREN:
        return key_of_condition(u, number, tree);
    default:
        return key_of_event(u, number, tree);
    }
}

/* The number of elements in a sample of the gathered ones that are on another path of the tree than `cone`. Half of the
 * sample are the newest, which have the most in common with it. */
static uint32_t count_apart(const hd_unfolding *u, hd_crowd_list list, size_t from, uint32_t cone, uint32_t tree)
{
    uint32_t apart = 0, count = (uint32_t)(u->near.count - from), key = key_of_event(u, cone, tree);
    for (uint32_t i = 0; i < SAMPLE; i++) {
        uint32_t number = u->near.items[from + (i % 2 ? hd_hash(i) : i) % count];
        apart += are_apart(u, tree, key, key_of(u, list, number, tree));
    }
    return apart;
}

/* The number of nodes below cone's key in the tree, up to SAMPLE. */
static uint32_t count_below(const hd_unfolding *u, uint32_t cone, uint32_t tree)
{
    uint32_t top = key_of_event(u, cone, tree), at = top, count = 0;
    if (is_of_thread(tree) && !u->successors.count)
        return 0;
    while (count < SAMPLE && (at = next_below(u, tree, at, top, UINT32_MAX)) != top)
        count++;
    return count;
}

typedef struct choice_of_tree {
    uint32_t tree, worth;
} choice_of_tree;

/* The benefit of a tree: the elements that it excludes count most, then a small subtree to walk. */
static uint32_t worth_of(const hd_unfolding *u, hd_crowd_list list, size_t from, uint32_t cone, uint32_t tree)
{
    uint32_t apart = count_apart(u, list, from, cone, tree);
    return apart ? 8 * apart + SAMPLE - count_below(u, cone, tree) : 0;
}

/* The best of the objects' trees, or of the threads', if it is better than `best` by a margin. */
static void choose_tree(
    const hd_unfolding *u, hd_crowd_list list, size_t from, uint32_t cone, bool threads, choice_of_tree *best)
{
    uint32_t trees = (uint32_t)(threads ? u->clock_width : u->slots.count), enough = best->worth + MARGIN;
    for (uint32_t i = 0; i < trees; i++) {
        uint32_t tree = 2 * i + threads, worth = worth_of(u, list, from, cone, tree);
        if (worth > best->worth && worth >= enough)
            *best = (choice_of_tree) { tree, worth };
    }
}

/* The tree for the gathered elements, which are indexed by `now`; HD_NO_TREE: none excludes anything. The tree of the
 * last crowd is tried first. Trees of threads need memory for successors, so only large crowds use them. */
static uint32_t best_tree(hd_unfolding *u, hd_crowd_list list, size_t from, uint32_t cone, uint32_t now)
{
    uint32_t usual = now != HD_NO_TREE ? now : u->usual_tree;
    choice_of_tree best = { HD_NO_TREE, 0 };
    if (is_tree(u, usual))
        best = (choice_of_tree) { usual, worth_of(u, list, from, cone, usual) };
    choose_tree(u, list, from, cone, false, &best);
    if (u->near.count - from > MANY && best.worth < ENOUGH)
        choose_tree(u, list, from, cone, true, &best);
    u->usual_tree = best.worth && !is_of_thread(best.tree) ? best.tree : u->usual_tree;
    return best.worth ? best.tree : HD_NO_TREE;
}

/* --- entries ---------------------------------------------------------------------------------------- */

typedef struct slot {
    uint32_t crowd, key;
} slot;

static uint64_t hash_of_slot(slot p)
{
    return hd_hash((uint64_t)p.crowd << 32 | p.key);
}

static uint64_t entry_hash(const hd_unfolding *u, uint32_t entry)
{
    const crowd_entry *x = &u->crowds.entries.items[entry];
    return hash_of_slot((slot) { x->crowd, x->key });
}

static bool is_in_slot(const hd_unfolding *u, uint32_t entry, const void *thing)
{
    const slot *p = thing;
    const crowd_entry *x = &u->crowds.entries.items[entry];
    return x->key == p->key && x->crowd == p->crowd;
}

static uint32_t find_entries(const hd_unfolding *u, slot p)
{
    return hd_hash_index_find(&u->crowds.index, hash_of_slot(p), is_in_slot, &p, u);
}

/* Elements with the same key form a list that starts with the first of them. */
static void list_entry(hd_unfolding *u, uint32_t number, uint32_t at)
{
    crowd *k = &u->crowds.list.items[at];
    slot p = { at, key_of(u, k->list, number, k->tree) };
    uint32_t depth = depth_of(u, k->tree, p.key);
    k->highest = depth < k->highest ? depth : k->highest;
    k->deepest = depth > k->deepest ? depth : k->deepest;
    uint32_t entry = (uint32_t)u->crowds.entries.count, first = find_entries(u, p);
    hd_vec_push(&u->crowds.entries, ((crowd_entry) { .crowd = p.crowd, .key = p.key, .number = number }));
    if (first) {
        u->crowds.entries.items[entry].next = u->crowds.entries.items[first].next;
        u->crowds.entries.items[first].next = entry;
    } else {
        hd_hash_index_add(&u->crowds.index, u->memory, hash_of_slot(p), entry, entry_hash, u);
    }
}

/* --- crowds ------------------------------------------------------------------------------------------ */

static uint64_t *crowd_at(hd_unfolding *u, hd_crowd_list list, uint32_t at)
{
    return hd_map_put(&u->crowds.of, (uint64_t)list << 32 | at);
}

static bool is_crowded(const hd_unfolding *u, hd_crowd_list list, uint32_t at)
{
    if (list >= HD_CROWD_EVENTS)
        return hd_map_get(&u->crowds.of, (uint64_t)list << 32 | at);
    return at < u->crowds.marked.count && (u->crowds.marked.items[at] >> list & 1);
}

static void mark_crowded(hd_unfolding *u, hd_crowd_list list, uint32_t at)
{
    while (list < HD_CROWD_EVENTS && u->crowds.marked.count <= at)
        hd_vec_push(&u->crowds.marked, (uint8_t)0);
    if (list < HD_CROWD_EVENTS)
        u->crowds.marked.items[at] |= (uint8_t)(1u << list);
}

static void keep_successors(hd_unfolding *u)
{
    u->keeps_successors = true;
    hd_unfold_know_successors(u);
}

/* Indexes the list by the tree that is best now, if that is another one. */
static void sort_crowd(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone)
{
    size_t from = u->near.count;
    gather_list(u, list, at);
    uint64_t *number = crowd_at(u, list, at);
    uint32_t now = *number ? u->crowds.list.items[*number].tree : HD_NO_TREE;
    uint32_t count = (uint32_t)(u->near.count - from), tree = best_tree(u, list, from, cone, now);
    if (!*number || now != tree) {
        if (tree != HD_NO_TREE && is_of_thread(tree) && list < HD_CROWD_EVENTS)
            keep_successors(u);
        *number = u->crowds.list.count;
        hd_vec_push(&u->crowds.list, ((crowd) { .list = list, .tree = tree, .highest = UINT32_MAX / 2 }));
        for (size_t i = u->near.count; tree != HD_NO_TREE && i-- > from;)
            list_entry(u, u->near.items[i], (uint32_t)*number);
    }
    u->crowds.list.items[*number].count = count;
    u->crowds.list.items[*number].room = 2 * count;
    u->near.count = from;
}

void hd_unfold_enter(hd_unfolding *u, hd_crowd_list list, uint32_t c, uint32_t number)
{
    if (!is_crowded(u, list, c))
        return;
    uint32_t at = (uint32_t)*crowd_at(u, list, c);
    u->crowds.list.items[at].count++;
    if (u->crowds.list.items[at].tree != HD_NO_TREE)
        list_entry(u, number, at);
}

/* --- gathering ----------------------------------------------------------------------------------------- */

static void gather_at(hd_unfolding *u, slot p)
{
    for (uint32_t i = find_entries(u, p); i; i = u->crowds.entries.items[i].next)
        hd_vec_push(&u->near, u->crowds.entries.items[i].number);
}

static void gather_above(hd_unfolding *u, const crowd *k, slot p)
{
    for (uint32_t depth = depth_of(u, k->tree, p.key); depth >= k->highest; depth--) {
        gather_at(u, p);
        if (!depth)
            return;
        p.key = parent_of(u, k->tree, p.key);
    }
}

/* False: the subtree is larger than the list, so a linear scan is cheaper. */
static bool gather_below(hd_unfolding *u, const crowd *k, slot p)
{
    uint32_t top = p.key, most = k->count;
    while ((p.key = next_below(u, k->tree, p.key, top, k->deepest)) != top) {
        if (!most--)
            return false;
        gather_at(u, p);
    }
    return true;
}

static bool gather_path(hd_unfolding *u, uint32_t number, uint32_t cone, bool below)
{
    crowd k = u->crowds.list.items[number];
    if (k.tree == HD_NO_TREE)
        return false;
    slot p = { number, key_of_event(u, cone, k.tree) };
    if (depth_of(u, k.tree, p.key) > k.highest + k.count || (below && !gather_below(u, &k, p)))
        return false;
    gather_above(u, &k, p);
    return true;
}

/* Gathers the whole list if it is short; true: it is not. */
static bool gather_few(hd_unfolding *u, hd_crowd_list list, uint32_t at, size_t from)
{
    gather_list(u, list, at);
    bool many = u->near.count - from > FEW;
    u->near.count = many ? from : u->near.count;
    return many;
}

static size_t gather(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone, bool below)
{
    size_t from = u->near.count;
    bool crowded = is_crowded(u, list, at);
    if (!crowded && !gather_few(u, list, at, from))
        return from;
    if (!crowded)
        mark_crowded(u, list, at);
    const crowd *k = &u->crowds.list.items[*crowd_at(u, list, at)];
    if (k->count >= k->room)
        sort_crowd(u, list, at, cone);
    if (!gather_path(u, (uint32_t)*crowd_at(u, list, at), cone, below)) {
        u->near.count = from;
        gather_list(u, list, at);
    }
    return from;
}

size_t hd_unfold_gather(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone)
{
    return gather(u, list, at, cone, true);
}

size_t hd_unfold_gather_past(hd_unfolding *u, hd_crowd_list list, uint32_t at, uint32_t cone)
{
    return gather(u, list, at, cone, false);
}

void hd_unfold_open_crowds(hd_unfolding *u)
{
    u->crowds = (hd_crowds) { 0 };
    hd_map_init(&u->crowds.of, u->memory);
    u->crowds.list.memory = u->crowds.entries.memory = u->crowds.marked.memory = u->memory;
    hd_vec_push(&u->crowds.list, ((crowd) { 0 }));
    hd_vec_push(&u->crowds.entries, ((crowd_entry) { 0 }));
}

void hd_unfold_close_crowds(hd_unfolding *u)
{
    hd_map_fini(&u->crowds.of);
    hd_hash_index_fini(&u->crowds.index, u->memory);
    hd_vec_fini(&u->crowds.list);
    hd_vec_fini(&u->crowds.entries);
    hd_vec_fini(&u->crowds.marked);
}

size_t hd_unfold_size_of_crowds(const hd_unfolding *u)
{
    return u->crowds.list.count * sizeof(crowd) + u->crowds.entries.count * sizeof(crowd_entry)
        + u->crowds.index.room * (sizeof(uint32_t) + 1) + u->crowds.of.room * sizeof *u->crowds.of.slots
        + u->crowds.marked.count;
}

/* --- validity --------------------------------------------------------------------------------------- */

static bool is_listed(const hd_unfolding *u, uint32_t number, uint32_t at)
{
    const crowd *k = &u->crowds.list.items[at];
    uint32_t key = key_of(u, k->list, number, k->tree), entry = find_entries(u, (slot) { at, key });
    while (entry && u->crowds.entries.items[entry].number != number)
        entry = u->crowds.entries.items[entry].next;
    return entry && depth_of(u, k->tree, key) >= k->highest && depth_of(u, k->tree, key) <= k->deepest;
}

/* Lists of events are filled only during searches. */
bool hd_unfold_crowds_are_valid(const hd_unfolding *u)
{
    for (size_t i = 0; i < u->crowds.of.room; i++) {
        hd_crowd_list list = (hd_crowd_list)(u->crowds.of.slots[i].key >> 32);
        uint32_t at = (uint32_t)u->crowds.of.slots[i].key, crowd = (uint32_t)u->crowds.of.slots[i].value, count = 0;
        if (!u->crowds.of.slots[i].used || !crowd || list >= HD_CROWD_EVENTS)
            continue;
        for (uint32_t n = first_of(u, list, at); n; n = next_of(u, list, n), count++)
            if (u->crowds.list.items[crowd].tree != HD_NO_TREE && !is_listed(u, n, crowd))
                return false;
        if (count != u->crowds.list.items[crowd].count || !is_crowded(u, list, at))
            return false;
    }
    return true;
}
