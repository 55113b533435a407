/* Reachability testing (docs/algorithms/reach.md): each SR-sequence of a program that passes messages is executed once.
 *
 * An execution is its SR-sequence (sequence.h, read.h). From it come variants (variant.h), one at a time; a variant is
 * executed: its events are forced, and the program goes on from there. That gives another sequence, whose variants come
 * first. How variants are chosen:
 *
 *   stateless  so that each leads to another sequence, without comparing any (revisit.h)
 *   tree       all of them (generate.h), unless they are a prefix of a sequence in the tree (tree.h)
 *   single     those with one change (single.h); the variants of a sequence that was seen before are not taken again
 *   pairs      of those with one change: the ones in which it is new, so that no sequence has had this pair
 *
 * Only messages are understood. If a program has other operations that threads could order differently, the search says
 * that it has left something out. */
#include "explore/explorer.h"
#include "reach/generate.h"
#include "reach/read.h"
#include "reach/revisit.h"
#include "reach/single.h"

#include "abi/valid.h"
#include "base/error.h"
#include "base/map.h"

#include <string.h>

/* A sequence on the stack, with the variants that its mode takes. */
typedef struct frame {
    hd_sr sequence;
    union {
        hd_sr_revisits revisits;
        hd_sr_generator generator;
        hd_sr_singles singles;
    };
} frame;

typedef struct reach {
    hd_memory *memory;
    hd_reach_mode mode;
    hd_sr_reader reader;
    hd_vec(frame *) stack;
    hd_map pairs; /* pairs: the decisions of all sequences, by their descriptors */
    hd_sr_tree *tree; /* stateless: used only if the program has other operations, so that the search ends */
    hd_sr_schedule prefix;
    hd_sr_plan plan; /* stateless: the events of the variant */
    hd_sr_decisions planned, decisions; /* of the variant, and of the execution */
    hd_sr_text drawing;
    hd_trace trace;
    hd_path path;
    bool started;
} reach;

static void *reach_open(const hd_explore_config *config, hd_memory *memory)
{
    reach *x = hd_alloc(memory, sizeof *x);
    x->memory = x->stack.memory = x->prefix.memory = x->plan.memory = x->drawing.memory = x->planned.memory =
        x->decisions.memory = memory;
    x->mode = config->reach;
    x->tree = hd_sr_tree_open(memory);
    hd_map_init(&x->pairs, memory);
    hd_sr_reader_init(&x->reader, memory);
    hd_trace_init(&x->trace, memory, config->races);
    hd_path_init(&x->path, &config->solver, memory);
    return x;
}

/* --- modes ----------------------------------------------------------------------------------------- */

/* The number of trimmed sequences Q \t tail(Q), … that are no prefix of a known sequence: only those, and Q itself,
 * have variants that are not variants of a known one (3.5). */
static uint32_t count_new_parts(reach *x, const hd_sr *q)
{
    hd_sr_generator g;
    uint32_t trims = 0;
    hd_sr_generator_init(&g, q, UINT32_MAX, x->memory);
    while (hd_sr_generator_trim(&g)) {
        hd_sr_generator_rest(&g, &x->planned);
        if (hd_sr_tree_has_prefix(x->tree, &x->planned))
            break;
        trims++;
    }
    hd_sr_generator_fini(&g);
    return trims;
}

static void open_variants(reach *x, frame *f)
{
    if (x->mode == HD_REACH_STATELESS)
        hd_sr_revisits_init(&f->revisits, &f->sequence, &x->plan, x->memory);
    else if (x->mode == HD_REACH_TREE)
        hd_sr_generator_init(&f->generator, &f->sequence, count_new_parts(x, &f->sequence), x->memory);
    else
        hd_sr_singles_init(&f->singles, &f->sequence, x->memory);
}

static void close_variants(const reach *x, frame *f)
{
    if (x->mode == HD_REACH_STATELESS)
        hd_sr_revisits_fini(&f->revisits);
    else if (x->mode == HD_REACH_TREE)
        hd_sr_generator_fini(&f->generator);
    else
        hd_sr_singles_fini(&f->singles);
}

/* The next variant of the sequence, or NULL. */
static hd_sr_variant *next_variant(reach *x, frame *f)
{
    if (x->mode == HD_REACH_STATELESS)
        return hd_sr_revisits_next(&f->revisits) ? &f->revisits.variant : NULL;
    if (x->mode == HD_REACH_SINGLE || x->mode == HD_REACH_PAIRS)
        return hd_sr_singles_next(&f->singles) ? &f->singles.variant : NULL;
    bool found = hd_sr_generator_next(&f->generator);
    if (f->generator.too_wide)
        hd_sr_leave_out(&x->reader, "too many threads receive at the same time for all variants of a sequence");
    return found ? &f->generator.variant : NULL;
}

/* The descriptor of a decision. */
static uint64_t pair_of(const hd_sr_decision *d)
{
    uint64_t receive = (uint64_t)d->u << 34 | (uint64_t)d->v << 2 | d->misses;
    return hd_hash(receive) + ((uint64_t)d->i << 32 | d->j);
}

static bool is_new_pair(const reach *x, const frame *f)
{
    uint32_t decision = f->singles.decision;
    hd_sr_decision d = hd_sr_decision_of(&f->sequence, decision, f->singles.variant.outcomes.items[decision]);
    return !hd_map_get(&x->pairs, pair_of(&d));
}

/* Is the variant to be executed? */
static bool is_new(const reach *x, const frame *f)
{
    if (x->mode == HD_REACH_PAIRS)
        return is_new_pair(x, f);
    return x->mode != HD_REACH_TREE || !hd_sr_tree_has_prefix(x->tree, &x->planned);
}

/* A variant that cannot be executed contains smaller ones that can; `single` has none of them, and `tree` has none that
 * drop a part of the past of a message that is not taken any more. */
static bool plan_variant(reach *x, frame *f, hd_sr_variant *v)
{
    hd_sr_variant_decisions(v, &x->planned);
    if (!is_new(x, f))
        return false;
    if (!hd_sr_variant_schedule(v, &x->prefix)) {
        if (x->mode == HD_REACH_SINGLE || x->mode == HD_REACH_PAIRS
            || (x->mode == HD_REACH_TREE && hd_sr_variant_keeps_in_vain(v)))
            hd_sr_leave_out(&x->reader, "receives that find nothing need --reach=stateless");
        return false;
    }
    if (x->mode == HD_REACH_STATELESS)
        hd_sr_revisits_plan(&f->revisits, &x->plan);
    return true;
}

/* --- the next execution ------------------------------------------------------------------------ */

static void drop(reach *x, frame *f)
{
    hd_sr_fini(&f->sequence);
    hd_release(x->memory, f, sizeof *f);
}

static void drop_top(reach *x)
{
    frame *f = hd_vec_pop(&x->stack);
    close_variants(x, f);
    drop(x, f);
}

static bool find_variant(reach *x)
{
    while (x->stack.count) {
        frame *f = *hd_vec_last(&x->stack);
        for (hd_sr_variant *v; (v = next_variant(x, f));)
            if (plan_variant(x, f, v))
                return true;
        drop_top(x);
    }
    return false;
}

static bool reach_next(void *self, hd_plan *plan)
{
    reach *x = self;
    if (x->started && (x->reader.stops || !find_variant(x)))
        return false;
    x->started = true;
    memset(x->reader.planned, 0, sizeof x->reader.planned);
    for (size_t i = 0; i < x->prefix.count; i++)
        x->reader.planned[x->prefix.items[i].thread]++;
    *plan = (hd_plan) { .prefix = x->prefix.items,
        .prefix_count = (uint32_t)x->prefix.count,
        .tail = HD_TAIL_LOWEST,
        .forgiving = x->reader.left_out != NULL };
    return true;
}

static void reach_close(void *self)
{
    reach *x = self;
    while (x->stack.count)
        drop_top(x);
    hd_vec_fini(&x->stack);
    hd_sr_tree_close(x->tree);
    hd_vec_fini(&x->prefix);
    hd_vec_fini(&x->plan);
    hd_vec_fini(&x->drawing);
    hd_vec_fini(&x->planned);
    hd_vec_fini(&x->decisions);
    hd_map_fini(&x->pairs);
    hd_sr_reader_fini(&x->reader);
    hd_trace_fini(&x->trace);
    hd_path_fini(&x->path);
    hd_release(x->memory, x, sizeof *x);
}

/* --- after an execution ------------------------------------------------------------------------ */

/* Has the execution all decisions that were planned? */
static bool is_as_planned(const reach *x)
{
    size_t found = 0;
    for (size_t i = 0; i < x->decisions.count && found < x->planned.count; i++)
        found += x->decisions.items[i].identity == x->planned.items[found].identity;
    return found == x->planned.count;
}

static void find_decisions(reach *x, const hd_sr *q)
{
    hd_vec_clear(&x->decisions);
    for (uint32_t i = 0; i < q->events.count; i++) {
        const hd_sr_event *e = &q->events.items[i];
        if (hd_sr_decides(e))
            hd_vec_push(&x->decisions, hd_sr_decision_of(q, i, hd_sr_outcome(e)));
    }
    hd_sr_decisions_sort(&x->decisions);
}

/* A sequence in the tree has had its variants. */
static bool takes(const reach *x)
{
    bool keeps = x->mode != HD_REACH_STATELESS || x->reader.left_out;
    bool known = keeps && hd_sr_tree_has(x->tree, &x->decisions);
    hd_assert(!known || x->mode == HD_REACH_SINGLE || x->mode == HD_REACH_PAIRS || x->reader.left_out);
    return !known;
}

static void add_to_tree(reach *x)
{
    if (x->mode != HD_REACH_STATELESS || x->reader.left_out)
        hd_sr_tree_add(x->tree, &x->decisions);
    for (size_t i = 0; i < x->decisions.count && x->mode == HD_REACH_PAIRS; i++)
        *hd_map_put(&x->pairs, pair_of(&x->decisions.items[i])) = 1;
}

static bool reach_learn(void *self, const hd_execution *e)
{
    reach *x = self;
    hd_trace_cut(&x->trace, 0);
    hd_path_clear(&x->path);
    if (!hd_trace_extend(&x->trace, e) || !hd_path_extend(&x->path, e))
        return false;
    frame *f = hd_alloc(x->memory, sizeof *f);
    hd_sr_read(&x->reader, &f->sequence, e, x->memory);
    hd_check_valid(hd_sr_is_valid(&f->sequence), 1, 0);
    find_decisions(x, &f->sequence);
    bool fits = x->reader.left_out || is_as_planned(x);
    if (fits && !x->reader.stops && takes(x)) {
        open_variants(x, f);
        add_to_tree(x);
        hd_vec_push(&x->stack, f);
    } else
        drop(x, f);
    return fits;
}

/* --- for reports ------------------------------------------------------------------------------------ */

static const hd_trace *reach_trace(void *self)
{
    return &((reach *)self)->trace;
}

static hd_path *reach_path(void *self)
{
    return &((reach *)self)->path;
}

static const char *reach_draw(void *self, uint32_t most, size_t *size)
{
    reach *x = self;
    if (hd_sr_tree_edges(x->tree) >= most)
        return NULL;
    hd_vec_clear(&x->drawing);
    hd_sr_tree_draw(x->tree, &x->drawing);
    *size = x->drawing.count;
    return x->drawing.items;
}

static double reach_progress(void *self)
{
    (void)self;
    return -1;
}

static const char *reach_unfinished(void *self)
{
    const reach *x = self;
    if (x->reader.left_out)
        return x->reader.left_out;
    if (x->mode == HD_REACH_PAIRS)
        return "--reach=pairs runs a sequence for each pair of a send and a receive that it finds possible, and not "
               "all "
               "sequences";
    return x->reader.predicts ? "the program seems to go on for ever: two rounds of each cycle were explored" : NULL;
}

const hd_explorer hd_explorer_reach = { .name = "reach",
    .exhaustive = true,
    .open = reach_open,
    .next = reach_next,
    .learn = reach_learn,
    .close = reach_close,
    .trace = reach_trace,
    .progress = reach_progress,
    .draw = reach_draw,
    .path = reach_path,
    .unfinished = reach_unfinished };
