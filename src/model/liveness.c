#include "model/liveness.h"

#include "abi/valid.h"
#include "model/space.h"

enum { NOBODY = 0xffffffffu };

typedef struct node {
    uint32_t vertex, state; /* of the system, of the claim */
    uint32_t order; /* discovery order from 1 while its component is open; 0 when it is closed */
} node;

/* An edge of the product: an edge of the claim with a step of the system (or none: the execution has ended). */
typedef struct arc {
    uint32_t edge, step; /* index among the edges of the claim's state, and among the steps of the vertex */
    uint32_t vertex, state; /* where it leads */
    uint64_t marks;
} arc;

typedef struct frame {
    uint32_t node;
    arc at; /* the next arc to look at */
} frame;

typedef struct component {
    uint32_t order; /* of its first node */
    uint64_t marks; /* on edges inside it */
    uint64_t incoming; /* on the edge from the component before it */
} component;

typedef struct search {
    hd_model_liveness *result;
    const hd_model_setup *setup;
    const hd_model_claim *claim;
    hd_model_space space;
    uint64_t all; /* marks */
    hd_vec(node) nodes;
    hd_map numbers; /* of nodes, by vertex and state */
    hd_vec(frame) stack;
    hd_vec(component) components;
    hd_vec(uint32_t) open; /* open nodes, in discovery order */
    uint32_t orders;
    hd_model_progress progress;
} search;

/* --- the product ----------------------------------------------------------------------------------------- */

static uint64_t marks_of(const search *s, const hd_model_vertex *p, const hd_model_claim_edge *e, uint64_t moved)
{
    uint64_t marks = e->marks | (s->claim->labels && p->accepts ? 1 : 0);
    /* A process that was enabled and did not move lacks its mark. */
    if (s->result->fair)
        marks |= ~(p->enabled & ~moved) << s->claim->mark_count;
    return marks & s->all;
}

/* Advances `a` to the next arc that exists, starting with `a` itself. False: there is none. */
static bool find_arc(search *s, uint32_t vertex, uint32_t state, arc *a)
{
    const hd_model_vertex *p = hd_model_space_expand(&s->space, vertex);
    const hd_model_claim_state *q = &s->claim->states.items[state];
    for (; a->edge < q->count; a->edge++, a->step = 0) {
        const hd_model_claim_edge *e = &s->claim->edges.items[q->first + a->edge];
        /* A state without steps has a loop, so that finite executions are infinite words. */
        bool stutters = p->count == 0 && a->step == 0 && s->claim->kind != HD_MODEL_CLAIM_PROGRESS;
        if ((e->must & ~p->holds) || (e->must_not & p->holds) || (a->step >= p->count && !stutters))
            continue;
        const hd_model_successor *step = p->count ? &s->space.successors.items[p->first + a->step] : NULL;
        a->state = e->target;
        a->vertex = step ? step->to : vertex;
        a->marks = marks_of(s, p, e, step ? step->moved : 0);
        return true;
    }
    return false;
}

/* The node's number, if the search has found it. */
static uint32_t known(search *s, uint32_t vertex, uint32_t state)
{
    uint64_t *number = hd_map_get(&s->numbers, (uint64_t)vertex << 32 | state);
    return number ? (uint32_t)*number : NOBODY;
}

static uint32_t add_node(search *s, uint32_t vertex, uint32_t state)
{
    uint32_t number = (uint32_t)s->nodes.count;
    *hd_map_put(&s->numbers, (uint64_t)vertex << 32 | state) = number;
    hd_vec_push(&s->nodes, ((node) { .vertex = vertex, .state = state }));
    return number;
}

/* --- lassos ---------------------------------------------------------------------------------------------- */

/* A breadth-first search over known nodes, for short lassos. */
typedef struct walk {
    hd_vec(uint32_t) queue;
    hd_vec(arc) came; /* per entry of the queue: the arc that led to it, and the index of its predecessor */
    hd_vec(uint32_t) from;
} walk;

typedef struct hop {
    uint32_t node; /* before it */
    arc arc;
} hop;

typedef hd_vec(hop) hops;

static void walk_fini(walk *w)
{
    hd_vec_fini(&w->queue);
    hd_vec_fini(&w->came);
    hd_vec_fini(&w->from);
}

/* Appends the hops to the queue's entry `at`, then `last` from there. */
static void trace_back(const walk *w, size_t at, const arc *last, hops *path)
{
    size_t first = path->count;
    if (last)
        hd_vec_push(path, ((hop) { w->queue.items[at], *last }));
    for (; at; at = w->from.items[at])
        hd_vec_push(path, ((hop) { w->queue.items[w->from.items[at]], w->came.items[at] }));
    for (size_t i = first, k = path->count; i + 1 < k; i++) {
        hop swap = path->items[i];
        path->items[i] = path->items[--k];
        path->items[k] = swap;
    }
}

typedef bool wanted(const search *s, const arc *a, uint32_t to, uint64_t argument);

/* Appends a shortest path from `start` that ends with a wanted arc, through nodes of order at least
 * `lowest`; returns the node at its end. */
static uint32_t go(search *s, uint32_t start, uint32_t lowest, wanted *is_wanted, uint64_t argument, hops *path)
{
    walk w = { 0 };
    hd_map seen;
    hd_map_init(&seen, &hd_heap);
    uint32_t result = NOBODY;
    *hd_map_put(&seen, start) = 1;
    hd_vec_push(&w.queue, start);
    hd_vec_push(&w.came, (arc) { 0 });
    hd_vec_push(&w.from, 0);
    for (size_t i = 0; i < w.queue.count && result == NOBODY; i++) {
        uint32_t from = w.queue.items[i];
        node n = s->nodes.items[from];
        for (arc a = { 0 }; find_arc(s, n.vertex, n.state, &a); a.step++) {
            uint32_t to = known(s, a.vertex, a.state);
            /* Stay among known nodes, and inside the component if one is given. */
            if (to == NOBODY || (lowest && s->nodes.items[to].order < lowest))
                continue;
            if (is_wanted(s, &a, to, argument)) {
                result = to;
                trace_back(&w, i, &a, path);
                break;
            }
            uint64_t *mark = hd_map_put(&seen, to);
            if (!*mark) {
                *mark = 1;
                hd_vec_push(&w.queue, to);
                hd_vec_push(&w.came, a);
                hd_vec_push(&w.from, (uint32_t)i);
            }
        }
    }
    walk_fini(&w);
    hd_map_fini(&seen);
    return result;
}

static bool has_mark(const search *s, const arc *a, uint32_t to, uint64_t missing)
{
    (void)s, (void)to;
    return (a->marks & missing) != 0;
}

static bool leads_to(const search *s, const arc *a, uint32_t to, uint64_t node)
{
    (void)s, (void)a;
    return to == node;
}

static bool leads_into(const search *s, const arc *a, uint32_t to, uint64_t lowest)
{
    (void)a;
    return s->nodes.items[to].order >= lowest;
}

/* Appends a cycle through `start` with all marks: from mark to mark by shortest paths, then back.
 * It exists because the component is strongly connected. */
static void find_cycle(search *s, uint32_t start, uint32_t lowest, hops *path)
{
    uint64_t missing = s->all;
    size_t first = path->count;
    uint32_t at = start;
    while (missing) {
        size_t before = path->count;
        at = go(s, at, lowest, has_mark, missing, path);
        hd_assert(at != NOBODY);
        for (size_t i = before; i < path->count; i++)
            missing &= ~path->items[i].arc.marks;
    }
    if (at != start || path->count == first)
        at = go(s, at, lowest, leads_to, start, path);
    hd_assert(at == start);
}

static void add_moves(search *s, const hops *path, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const hop *h = &path->items[i];
        uint32_t vertex = s->nodes.items[h->node].vertex;
        if (hd_model_space_expand(&s->space, vertex)->count)
            hd_model_space_moves(&s->space, vertex, h->arc.step, &s->result->path);
    }
}

static hd_model_finding_kind kind_of_cycle(const hd_model_claim *c)
{
    return c->kind == HD_MODEL_CLAIM_PROGRESS ? HD_MODEL_FINDING_NON_PROGRESS_CYCLE : HD_MODEL_FINDING_ACCEPTANCE_CYCLE;
}

/* The open component from order `lowest` on has all marks: report a lasso. */
static void report_cycle(search *s, uint32_t lowest)
{
    hd_model_liveness *l = s->result;
    hops path = { 0 };
    uint32_t start = 0;
    if (s->nodes.items[0].order < lowest)
        start = go(s, 0, 0, leads_into, lowest, &path);
    size_t stem = path.count;
    find_cycle(s, start, lowest, &path);
    l->verdict = HD_MODEL_VERDICT_VIOLATED;
    l->finding = (hd_model_finding) { .kind = kind_of_cycle(s->claim), .line = s->claim->line };
    add_moves(s, &path, 0, stem);
    l->cycle = l->path.count;
    l->is_cycle = true;
    add_moves(s, &path, stem, path.count);
    hd_vec_fini(&path);
}

/* Reports a finite path to a node. */
static void report_path(search *s, uint32_t node, hd_model_finding f)
{
    hops path = { 0 };
    if (node)
        go(s, 0, 0, leads_to, node, &path);
    s->result->finding = f;
    add_moves(s, &path, 0, path.count);
    s->result->cycle = s->result->path.count;
    hd_vec_fini(&path);
}

/* --- the search --------------------------------------------------------------------------------------------- */

/* Does the claim reach an end in this node? Then every continuation violates it. */
static bool meets_end(search *s, uint32_t number)
{
    const node *n = &s->nodes.items[number];
    const hd_model_claim_state *states = s->claim->states.items,
                               *end = states[n->state].is_end ? &states[n->state] : NULL;
    /* An edge to an end suffices: whatever step the system takes along with it, the claim is violated. */
    for (arc a = { 0 }; !end && find_arc(s, n->vertex, n->state, &a); a.edge++, a.step = 0)
        end = states[a.state].is_end ? &states[a.state] : NULL;
    if (!end)
        return false;
    s->result->verdict = HD_MODEL_VERDICT_VIOLATED;
    report_path(s, number,
        (hd_model_finding) { .kind = end->failed ? HD_MODEL_FINDING_ASSERTION : HD_MODEL_FINDING_CLAIM,
            .line = end->failed ? end->failed : s->claim->line });
    return true;
}

static void enter(search *s, uint32_t number, uint64_t incoming)
{
    s->nodes.items[number].order = ++s->orders;
    hd_vec_push(&s->stack, ((frame) { .node = number }));
    hd_vec_push(&s->components, ((component) { s->orders, 0, incoming }));
    hd_vec_push(&s->open, number);
}

/* The arc closes a cycle: all components on the stack from `order` on become one, with the union of
 * their marks and of the edges between them. True: it has all marks. */
static bool join(search *s, uint32_t order, uint64_t marks)
{
    while (hd_vec_last(&s->components)->order > order) {
        component c = hd_vec_pop(&s->components);
        marks |= c.marks | c.incoming;
    }
    component *c = hd_vec_last(&s->components);
    c->marks |= marks;
    return c->marks == s->all;
}

static void leave(search *s)
{
    frame f = hd_vec_pop(&s->stack);
    uint32_t order = s->nodes.items[f.node].order;
    /* Not the root of its component: it stays open. */
    if (hd_vec_last(&s->components)->order != order)
        return;
    s->components.count--;
    while (s->open.count && s->nodes.items[*hd_vec_last(&s->open)].order >= order)
        s->nodes.items[hd_vec_pop(&s->open)].order = 0;
}

static bool stopped(search *s)
{
    hd_model_liveness *l = s->result;
    uint64_t bytes = hd_model_space_bytes(&s->space) + s->nodes.count * (sizeof(node) + 48);
    l->bound = hd_model_limits_reached(&s->setup->limits, s->nodes.count, bytes);
    if (l->bound == HD_MODEL_BOUND_NONE)
        hd_model_progress_show(&s->progress, &s->setup->limits, s->nodes.count, bytes);
    return l->bound != HD_MODEL_BOUND_NONE;
}

/* One arc further. True: a violation is found. */
static bool advance(search *s)
{
    frame *f = hd_vec_last(&s->stack);
    node n = s->nodes.items[f->node];
    if (!find_arc(s, n.vertex, n.state, &f->at)) {
        leave(s);
        return false;
    }
    arc a = f->at;
    f->at.step++;
    s->result->edges++;
    uint32_t to = known(s, a.vertex, a.state);
    if (to == NOBODY) {
        to = add_node(s, a.vertex, a.state);
        enter(s, to, a.marks);
        return meets_end(s, to);
    }
    uint32_t order = s->nodes.items[to].order;
    /* A closed node cannot be part of a new cycle. */
    if (!order || !join(s, order, a.marks))
        return false;
    report_cycle(s, hd_vec_last(&s->components)->order);
    return true;
}

/* --- validity ------------------------------------------------------------------------------------------------ */

/* Nodes are known by their numbers. The open ones are in the list, in discovery order. */
static bool nodes_are_valid(search *s)
{
    size_t open = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->nodes.count; i++) {
        open += s->nodes.items[i].order != 0;
        if (known(s, s->nodes.items[i].vertex, s->nodes.items[i].state) != i)
            return false;
    }
    for (size_t i = 0; i < s->open.count; last = s->nodes.items[s->open.items[i++]].order)
        if (s->nodes.items[s->open.items[i]].order <= last)
            return false;
    return open == s->open.count && last <= s->orders && s->numbers.count == s->nodes.count;
}

/* The arc that was looked at last leads to the next node of the stack: the stack is a path. */
static bool leads_up(search *s, size_t index, arc *last)
{
    const frame *f = &s->stack.items[index];
    const node *n = &s->nodes.items[f->node];
    *last = f->at;
    if (!last->step--)
        return false;
    return find_arc(s, n->vertex, n->state, last)
        && known(s, last->vertex, last->state) == s->stack.items[index + 1].node;
}

/* Every component has its first node on the stack, and `incoming` is of the arc that leads there. None has all
 * marks: that is a violation. */
static bool components_are_valid(search *s)
{
    size_t next = 0;
    uint32_t last = 0;
    arc before = { 0 };
    for (size_t i = 0; i < s->stack.count; i++) {
        uint32_t order = s->nodes.items[s->stack.items[i].node].order;
        if (order <= last || (i && !leads_up(s, i - 1, &before)))
            return false;
        last = order;
        if (next == s->components.count || s->components.items[next].order != order)
            continue;
        const component *c = &s->components.items[next++];
        if (c->incoming != before.marks || (s->all && c->marks == s->all))
            return false;
    }
    if (next != s->components.count || !next != !s->open.count)
        return false;
    return !next || s->components.items[0].order == s->nodes.items[s->open.items[0]].order;
}

static const component *component_of(const search *s, uint32_t order)
{
    size_t c = s->components.count - 1;
    while (s->components.items[c].order > order)
        c--;
    return &s->components.items[c];
}

/* The arcs of a node up to `end` (NULL: all) have been looked at. From a closed node they lead to closed nodes. A
 * component has the marks of those inside it. Sets *lowest to the least order where one leads, if that is less. */
static bool arcs_are_valid(search *s, node n, const arc *end, uint32_t *lowest)
{
    for (arc a = { 0 }; find_arc(s, n.vertex, n.state, &a); a.step++) {
        if (end && (a.edge > end->edge || (a.edge == end->edge && a.step >= end->step)))
            break;
        uint32_t to = known(s, a.vertex, a.state);
        if (to == NOBODY)
            return false;
        uint32_t order = s->nodes.items[to].order;
        if (!order)
            continue;
        if (!n.order)
            return false;
        const component *c = component_of(s, order);
        if (c == component_of(s, n.order) && (a.marks & ~c->marks))
            return false;
        *lowest = order < *lowest ? order : *lowest;
    }
    return true;
}

/* A node on the stack is the first of its component iff no arc from it, or from an open node found later, leads to an
 * earlier one: so components are strongly connected, and as large as what has been looked at allows. */
static bool open_nodes_are_valid(search *s)
{
    size_t frames = s->stack.count;
    uint32_t lowest = UINT32_MAX;
    for (size_t i = s->open.count; i-- > 0;) {
        uint32_t number = s->open.items[i];
        node n = s->nodes.items[number];
        bool on_stack = frames && s->stack.items[frames - 1].node == number;
        if (!arcs_are_valid(s, n, on_stack ? &s->stack.items[frames - 1].at : NULL, &lowest))
            return false;
        if (on_stack && (component_of(s, n.order)->order == n.order) != (lowest >= n.order))
            return false;
        frames -= on_stack;
    }
    return frames == 0;
}

/* What Couvreur's search rests on (docs/algorithms/ltl.md): see the functions above. */
static bool search_is_valid(search *s)
{
    uint32_t lowest = UINT32_MAX;
    if (!nodes_are_valid(s) || !components_are_valid(s))
        return false;
    for (size_t i = 0; i < s->nodes.count; i++)
        if (!s->nodes.items[i].order && !arcs_are_valid(s, s->nodes.items[i], NULL, &lowest))
            return false;
    return open_nodes_are_valid(s);
}

/* A proposition cannot be evaluated: reports the path to that state. */
static void report_fault(search *s)
{
    hd_model_liveness *l = s->result;
    uint32_t at = 0;
    while (s->nodes.items[at].vertex != s->space.fault_at)
        at++;
    l->verdict = HD_MODEL_VERDICT_UNKNOWN;
    l->path.count = 0; /* discard a violation that depends on it */
    l->is_cycle = false;
    report_path(s, at,
        (hd_model_finding) { .kind = HD_MODEL_FINDING_FAULT, .fault = s->space.fault, .line = s->space.fault.line });
}

static bool too_many_processes(const search *s)
{
    return s->result->fair && s->space.most_processes + s->claim->mark_count > 64;
}

/* Advances; a debug build checks the search, unless it ends here. */
static bool take_step(search *s)
{
    bool found = advance(s), ends = found || s->space.overflow || s->space.fault.kind != HD_MODEL_FAULT_NONE;
    hd_check_valid(ends || search_is_valid(s), 8 * (s->result->edges + s->nodes.count), s->result->edges);
    return found;
}

static void search_all(search *s)
{
    hd_model_liveness *l = s->result;
    enter(s, add_node(s, 0, 0), 0);
    bool found = meets_end(s, 0);
    /* Bounds are checked at every step if they are small, so that they are exact. */
    uint64_t every = s->setup->limits.max_states && s->setup->limits.max_states < 4096 ? 1 : 1024;
    for (uint64_t steps = 1; !found && s->stack.count && s->space.fault.kind == HD_MODEL_FAULT_NONE; steps++)
        if (s->space.overflow || (steps % every == 0 && stopped(s)))
            break;
        else
            found = take_step(s);
    if (too_many_processes(s))
        l->bound = HD_MODEL_BOUND_PROCESSES;
    if (l->bound != HD_MODEL_BOUND_NONE || s->space.overflow)
        l->verdict = HD_MODEL_VERDICT_UNKNOWN;
    else if (s->space.fault.kind != HD_MODEL_FAULT_NONE)
        report_fault(s);
    else if (!found)
        l->verdict = HD_MODEL_VERDICT_HOLDS;
}

static void search_close(search *s)
{
    hd_model_space_close(&s->space);
    hd_map_fini(&s->numbers);
    hd_vec_fini(&s->nodes);
    hd_vec_fini(&s->stack);
    hd_vec_fini(&s->components);
    hd_vec_fini(&s->open);
}

/* False: the store ran out of narrow component numbers. */
static bool run_once(hd_model_liveness *l, const hd_model_setup *setup, bool wide)
{
    search s = { .result = l, .setup = setup, .claim = l->claim, .progress.started = hd_now() };
    s.all = (1ull << l->claim->mark_count) - 1;
    if (l->fair)
        s.all = ~0ull;
    hd_map_init(&s.numbers, &hd_heap);
    l->verdict = HD_MODEL_VERDICT_UNKNOWN;
    l->edges = 0;
    hd_vec_clear(&l->path);
    if (hd_model_space_open(&s.space, setup->program, setup->scheme, l->claim, wide))
        search_all(&s);
    hd_model_progress_end(&s.progress);
    l->states = s.nodes.count;
    bool ok = !s.space.overflow;
    search_close(&s);
    return ok;
}

void hd_model_liveness_run(hd_model_liveness *l, const hd_model_setup *setup, const hd_model_claim *claim, bool fair)
{
    *l = (hd_model_liveness) { .claim = claim, .fair = fair };
    double started = hd_now();
    if (!run_once(l, setup, false) && !run_once(l, setup, true))
        l->bound = HD_MODEL_BOUND_ROOM;
    l->seconds = hd_now() - started;
}

void hd_model_liveness_close(hd_model_liveness *l)
{
    hd_vec_fini(&l->path);
}

bool hd_model_liveness_has_finding(const hd_model_liveness *l)
{
    return l->verdict == HD_MODEL_VERDICT_VIOLATED || l->finding.fault.kind != HD_MODEL_FAULT_NONE;
}
