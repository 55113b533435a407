/* An engine that knows nothing of solving and checks shadows instead: it runs
 * the program with random inputs, again and again, and
 *
 *   - every branch's expression must have the value that the program had;
 *   - under other inputs the expressions say which branch is the first to go
 *     another way, and how it goes: the next run must do just that.
 *
 * Only correct shadows pass. ORACLE_ROUNDS, ORACLE_SEED; the last line says how
 * many branches, followed branches and findings there were in all runs.
 */
#include "abi/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct branch {
    uint32_t expr;
    uint64_t value;
    const hd_site *site;
    uint16_t thread, flags;
} branch;

typedef struct run {
    branch *branches;
    uint32_t count;
    hd_expr *exprs;
    uint32_t expr_count;
    hd_input *inputs;
    uint32_t input_count;
    hd_outcome outcome;
} run;

static hd_runtime *rt;
static uint64_t seed = 1;
static unsigned long failures, all_branches, all_followed, all_findings, all_assumed, moved, learned;

/* The C library's heap is rewound after every run, the engine's variables are not. Nothing is given back. */
static char room[1u << 30] __attribute__((aligned(64)));
static size_t room_used;

static void *take(size_t size)
{
    void *at = room + room_used;
    room_used += (size + 63) & ~(size_t)63;
    if (room_used > sizeof room)
        abort();
    return at;
}

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

/* The first that is enabled: the schedule is always the same. */
static int pick(void *context)
{
    (void)context;
    uint32_t count = *rt->thread_count;
    for (uint32_t i = 0; i < count; i++)
        if (rt->enabled(i)) {
            rt->threads[i].pending.choice = 0;
            return (int)(i);
        }
    return HD_PICK_NONE;
}

/* --- values ------------------------------------------------------------------------ */

/* Often small, often printable, sometimes at an edge. */
static uint64_t random_value(const hd_input *input)
{
    uint64_t r = next_random() >> 8;
    switch (next_random() >> 20 & 7) {
    case 0:
        return r & 7;
    case 1:
        return -(r & 7);
    case 2:
        return 1ull << (input->width - 1) ^ (r & 1);
    case 3:
        return r ^ r << 40;
    case 4:
        return '0' + r % 10;
    case 5:
        return "abcxyzABZ -+\n\t"[r % 14];
    case 6:
        return r & 0xff;
    default:
        return input->value; /* as before */
    }
}

static void change_inputs(const run *before)
{
    *rt->given_count = 0;
    for (uint32_t i = 0; i < before->input_count; i++) {
        const hd_input *in = &before->inputs[i];
        uint64_t value = before->input_count > 3 && next_random() >> 20 & 1 ? in->value : random_value(in);
        rt->given[(*rt->given_count)++] = (hd_given) {
            .value = hd_value_within(in->width, in->low, in->count, hd_low_bits(value, in->width)),
            .number = in->number,
            .thread = in->thread
        };
    }
}

static uint64_t given_value(const hd_input *in)
{
    for (uint32_t i = 0; i < *rt->given_count; i++)
        if (rt->given[i].thread == in->thread && rt->given[i].number == in->number)
            return rt->given[i].value;
    return 0;
}

/* All expressions of the run under the inputs that are given now (`given`), or
 * were given then. */
static uint64_t *evaluate(const run *r, int given)
{
    uint64_t *values = take((r->expr_count + 1) * sizeof *values);
    for (uint32_t i = 1; i < r->expr_count; i++) {
        const hd_expr *e = &r->exprs[i];
        uint64_t v[3] = { 0 };
        for (int n = 0; n < 3; n++) {
            if (e->operands[n] >= i && e->operands[n]) {
                printf("expression %u has an operand behind it\n", i);
                exit(1);
            }
            v[n] = values[e->operands[n]];
        }
        if (e->kind == HD_EXPR_INPUT)
            values[i] = given ? given_value(&r->inputs[e->value]) : r->inputs[e->value].value;
        else if (e->kind == HD_EXPR_CONST)
            values[i] = e->value;
        else
            values[i] = hd_eval(e, r->exprs[e->operands[e->kind == HD_EXPR_CONCAT ? 1 : 0]].width, v);
    }
    return values;
}

/* --- runs ------------------------------------------------------------------------------ */

static void *copy(const void *from, size_t size)
{
    return memcpy(take(size), from, size);
}

static run run_once(void)
{
    run r = { 0 };
    fflush(stdout);
    do {
        rt->run();
        learned += rt->outcome->kind == HD_LEARNED;
    } while (rt->outcome->kind == HD_LEARNED);
    r.branches = take((*rt->log_count + 1) * sizeof *r.branches);
    for (uint32_t i = 0; i < *rt->log_count; i++) {
        const hd_op *op = &rt->log[i];
        if (op->kind != HD_BRANCH)
            continue;
        r.branches[r.count++] = (branch) { (uint32_t)op->object, op->value, op->site, op->thread, op->flags };
        all_followed += (op->flags & HD_OP_FOLLOWED) != 0;
        all_assumed += (op->flags & HD_OP_ASSUMED) != 0;
        if ((op->flags & HD_OP_FOLLOWED) && getenv("ORACLE_VERBOSE"))
            printf("followed at %s:%u: %llu\n", op->site ? op->site->file : "?", op->site ? op->site->line : 0,
                (unsigned long long)op->value);
    }
    all_branches += r.count;
    r.expr_count = *rt->expr_count;
    r.exprs = copy(rt->exprs, r.expr_count * sizeof *r.exprs);
    r.input_count = *rt->input_count;
    r.inputs = copy(rt->inputs, r.input_count * sizeof *r.inputs);
    r.outcome = *rt->outcome;
    all_findings += r.outcome.kind != HD_FINISHED && r.outcome.kind != HD_ASSUMED;
    if (r.outcome.kind != HD_FINISHED && getenv("ORACLE_VERBOSE"))
        printf("outcome %u: %s\n", r.outcome.kind, r.outcome.message);
    if (r.outcome.kind == HD_MODEL_LIMIT || r.outcome.kind == HD_DEPTH || r.outcome.kind == HD_DIVERGED) {
        printf("a run ended with: %s\n", r.outcome.message);
        failures++;
    }
    return r;
}

static const char *place(const hd_site *site)
{
    static char texts[2][200];
    static int turn;
    char *text = texts[turn ^= 1];
    snprintf(text, 200, "%s:%u:%u", site ? site->file : "?", site ? site->line : 0, site ? site->column : 0);
    return text;
}

static void print_expr(const run *r, uint32_t id, const uint64_t *values, int depth)
{
    static const char *const names[] = { "?",
#define EXPR(name, operands, text) #name,
#include "abi/expr.def"
#undef EXPR
    };
    const hd_expr *e = &r->exprs[id];
    printf("%*s%u: %s w%u value %llu = %#llx\n", depth * 2, "", id, names[e->kind], e->width,
        (unsigned long long)e->value, (unsigned long long)values[id]);
    for (int n = 0; n < 3 && depth < 6; n++)
        if (e->operands[n])
            print_expr(r, e->operands[n], values, depth + 1);
}

static void check_values(const run *r)
{
    uint64_t *values = evaluate(r, 0);
    for (uint32_t i = 0; i < r->count; i++) {
        const branch *b = &r->branches[i];
        uint64_t value = b->expr < r->expr_count ? values[b->expr] : ~b->value;
        if (!b->expr || value != b->value) {
            printf("%s: the expression is %#llx, the program has %#llx\n", place(b->site), (unsigned long long)value,
                (unsigned long long)b->value);
            if (b->expr < r->expr_count)
                print_expr(r, b->expr, values, 1);
            failures++;
            break;
        }
    }
}

static int is_same_branch(const branch *a, const branch *b)
{
    return a->site == b->site && a->thread == b->thread && a->flags == b->flags;
}

/* `now` ran under the inputs that are given: what did `before` predict of it? */
static void check_prediction(const run *before, const run *now)
{
    uint64_t *values = evaluate(before, 1);
    uint32_t i = 0;
    for (; i < before->count; i++) {
        const branch *b = &before->branches[i];
        uint64_t expected = values[b->expr];
        if (i >= now->count || !is_same_branch(b, &now->branches[i]) || now->branches[i].value != expected) {
            /* A range that the new value leaves is not left. */
            if ((b->flags & HD_OP_ASSUMED) && !expected)
                break;
            printf("%s: branch %u was to be %#llx, but is %#llx at %s\n", place(b->site), i,
                (unsigned long long)expected, i < now->count ? (unsigned long long)now->branches[i].value : 0,
                i < now->count ? place(now->branches[i].site) : "the end");
            print_expr(before, b->expr, values, 1);
            failures++;
            break;
        }
        if (expected != b->value) {
            moved++;
            break;
        }
    }
    if (i == before->count && (now->count != before->count || now->outcome.kind != before->outcome.kind)) {
        printf("all branches are the same, but not the end: %s, %s\n", before->outcome.message, now->outcome.message);
        failures++;
    }
}

__attribute__((visibility("default"))) int hd_worker_main(hd_runtime *runtime, hd_engine **engine)
{
    static hd_engine mine = { .pick = pick };
    unsigned long rounds = getenv("ORACLE_ROUNDS") ? strtoul(getenv("ORACLE_ROUNDS"), NULL, 10) : 100;
    seed = getenv("ORACLE_SEED") ? strtoull(getenv("ORACLE_SEED"), NULL, 10) * 2 + 1 : 1;
    rt = runtime;
    *engine = &mine;
    rt->options->settings.depth = 200000;
    rt->options->settings.any_exit = 1;
    rt->options->show_output = getenv("ORACLE_OUTPUT") != NULL;
    *rt->given_count = 0;
    run before = run_once();
    check_values(&before);
    for (unsigned long i = 0; i < rounds && failures < 5; i++) {
        change_inputs(&before);
        run now = run_once();
        check_values(&now);
        check_prediction(&before, &now);
        before = now;
    }
    printf("branches %lu followed %lu assumed %lu findings %lu moved %lu failures %lu\n", all_branches, all_followed,
        all_assumed, all_findings, moved, failures);
    fflush(stdout);
    return failures != 0;
}
