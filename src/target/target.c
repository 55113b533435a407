#include "target/target.h"

#include "abi/fast.h"
#include "base/error.h"
#include "event/op.h"
#include "target/policy.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HD_DEBUG
static void check_kinds(hd_target *t)
{
    uint32_t thread;
    const char *wrong = hd_kind_check_decision(&t->kind_check, t->runtime, &thread);
    const hd_op *op = &t->runtime->threads[thread].pending;
    if (wrong)
        hd_panic("the row of '%s' in abi/ops.def does not hold: %s (T%u, object %#llx)", hd_op_text(op->kind), wrong,
            thread, (unsigned long long)op->object);
}
#endif

static int pick(void *context)
{
#ifdef HD_DEBUG
    check_kinds(context);
#endif
    return hd_policy_pick(context);
}

void hd_target_init(hd_target *t, hd_runtime *runtime, hd_memory *memory)
{
    memset(t, 0, sizeof *t);
    hd_target_attach(t, runtime);
    t->alternatives.memory = t->choices.memory = t->asleep.memory = memory;
}

void hd_target_attach(hd_target *t, hd_runtime *runtime)
{
    t->runtime = runtime;
    t->engine = (hd_engine) { .pick = pick, .context = t };
    t->values = false;
    /* If the previous process was killed while one of these grew, it is inconsistent. The memory is dropped. */
    t->alternatives.items = NULL;
    t->choices.items = NULL;
    t->asleep.items = NULL;
    t->alternatives.count = t->alternatives.room = t->choices.count = t->choices.room = 0;
    t->asleep.count = t->asleep.room = 0;
}

void hd_target_fini(hd_target *t)
{
    hd_vec_fini(&t->alternatives);
    hd_vec_fini(&t->choices);
    hd_vec_fini(&t->asleep);
}

static void share(uint32_t *owners, const hd_shared_block *b)
{
    owners[b->first % HD_OWNER_CELLS] = HD_OWNER_SHARED;
    for (uint32_t i = 1; i < b->cells; i++)
        owners[(b->first + i) % HD_OWNER_CELLS] = HD_OWNER_JOINED;
}

void hd_target_set_facts(hd_target *t, const hd_learned_facts *facts)
{
    for (uint32_t i = 0; i < facts->shared_count; i++)
        share(t->runtime->owners, &facts->shared[i]);
    memcpy(t->runtime->births, facts->births, sizeof facts->births);
    memcpy(t->runtime->channels, facts->channels, sizeof facts->channels);
}

enum { PAGE = 4096, PAGE_CELLS = PAGE / sizeof(uint32_t), OWNER_PAGES = HD_OWNER_CELLS / PAGE_CELLS };

static uint32_t cells_of_block(const uint32_t *owners, uint32_t first)
{
    uint32_t cells = 1;
    while (owners[(first + cells) % HD_OWNER_CELLS] == HD_OWNER_JOINED)
        cells++;
    return cells;
}

/* Which pages of the owner table are in memory. Reading the others, nearly all, would allocate them: four thousand page
 * faults for each finding. */
static void find_used_pages(const uint32_t *owners, unsigned char *used)
{
    if (mincore((void *)owners, HD_OWNER_CELLS * sizeof *owners, used))
        memset(used, 1, OWNER_PAGES);
}

void hd_target_get_facts(const hd_target *t, hd_learned_facts *facts, hd_memory *memory)
{
    hd_vec(hd_shared_block) blocks = { .memory = memory };
    const uint32_t *owners = t->runtime->owners;
    unsigned char used[OWNER_PAGES];
    find_used_pages(owners, used);
    for (uint32_t page = 0; page < OWNER_PAGES; page++)
        for (uint32_t i = page * PAGE_CELLS; used[page] && i < (page + 1) * PAGE_CELLS; i++)
            if (owners[i] == HD_OWNER_SHARED)
                hd_vec_push(&blocks, ((hd_shared_block) { i, cells_of_block(owners, i) }));
    facts->shared = blocks.items;
    facts->shared_count = (uint32_t)blocks.count;
    memcpy(facts->births, t->runtime->births, sizeof facts->births);
    memcpy(facts->channels, t->runtime->channels, sizeof facts->channels);
}

/* Shared cells, and those that a thread has touched since owners were forgotten. */
static bool is_valid_mark(const hd_runtime *r, uint32_t mark)
{
    return mark >= HD_OWNER_DIVIDED || mark >> HD_SLOT_BITS == *r->generation;
}

void hd_target_get_known(const hd_target *t, hd_known *known)
{
    const hd_runtime *r = t->runtime;
    unsigned char used[OWNER_PAGES];
    find_used_pages(r->owners, used);
    hd_vec_clear(&known->cells);
    for (uint32_t page = 0; page < OWNER_PAGES; page++)
        for (uint32_t i = page * PAGE_CELLS; used[page] && i < (page + 1) * PAGE_CELLS; i++)
            if (r->owners[i] && is_valid_mark(r, r->owners[i]))
                hd_vec_push(&known->cells, ((hd_known_cell) { i, r->owners[i] }));
    hd_vec_clear(&known->kept);
    hd_vec_reserve(&known->kept, r->kept_size);
    memcpy(known->kept.items, r->kept, r->kept_size);
    known->kept.count = r->kept_size;
}

void hd_target_set_known(hd_target *t, const hd_known *known)
{
    hd_runtime *r = t->runtime;
    size_t size = HD_OWNER_CELLS * sizeof *r->owners;
    hd_assert(known->kept.count == r->kept_size);
    memcpy(r->kept, known->kept.items, r->kept_size);
    if (madvise(r->owners, size, MADV_REMOVE))
        memset(r->owners, 0, size);
    for (size_t i = 0; i < known->cells.count; i++)
        r->owners[known->cells.items[i].cell % HD_OWNER_CELLS] = known->cells.items[i].mark;
}

/* Runs in the worker or in a child. */
static void run_program(hd_target *t)
{
    /* Comparing final states needs values too. */
    t->runtime->options->values = t->values || t->runtime->options->states;
    t->runtime->options->repeats = t->repeats || t->runtime->options->states;
    t->runtime->run();
}

static void run_in_fresh(void *target)
{
    hd_target *t = target;
    if (t->runtime->begin_process)
        t->runtime->begin_process();
    run_program(t);
}

void hd_target_open_fresh(hd_target *t)
{
    hd_fresh_open(&t->fresh, run_in_fresh, t);
}

/* The child writes log and outcome to shared memory; what pick records is in the engine's memory,
 * which is shared as well. */
static void run_in_child(hd_target *t)
{
    hd_outcome *outcome = t->runtime->outcome;
    int status;
    if (!hd_fresh_run(&t->fresh, &status))
        raise(SIGKILL); /* the supervisor starts a new worker, with a new process to fork from */
    if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_FULL)
        _exit(HD_EXIT_FULL);
    /* A child that returned from the run has written its outcome. One that was killed could not, nor one that found an
     * internal error: it must not count as an execution that ended well. */
    if (WIFEXITED(status) && WEXITSTATUS(status))
        hd_panic("the process of an execution ended with status %d", WEXITSTATUS(status));
    if (!WIFSIGNALED(status))
        return;
    outcome->kind = HD_CRASH;
    outcome->signal = WTERMSIG(status);
    outcome->site = NULL;
    snprintf(outcome->message, sizeof outcome->message, "the process was killed by signal %d", WTERMSIG(status));
}

static void give_inputs(hd_runtime *r, const hd_plan *plan)
{
    if (!r->given_count)
        return;
    hd_assert(plan->given_count <= HD_INPUT_ROOM);
    if (plan->given_count)
        memcpy(r->given, plan->given, plan->given_count * sizeof *r->given);
    *r->given_count = plan->given_count;
}

static hd_execution run(hd_target *t, const hd_plan *plan, bool in_child)
{
    hd_runtime *r = t->runtime;
    hd_policy_start(t, plan);
#ifdef HD_DEBUG
    hd_kind_check_start(&t->kind_check);
#endif
    give_inputs(r, plan);
    if (t->phase)
        *t->phase = in_child ? 3 : 2;
    if (in_child)
        run_in_child(t);
    else
        run_program(t);
    if (t->phase)
        *t->phase = 1;
    /* These are in memory that the tested program could have overwritten: check before they are
     * used as sizes. */
    hd_assert(*r->log_count <= r->log_room);
    hd_assert(!r->expr_count || (*r->expr_count <= HD_EXPR_ROOM && *r->input_count <= HD_INPUT_ROOM));
    t->learned |= r->outcome->kind == HD_LEARNED;
    return hd_target_last(t);
}

void hd_target_fall_back(hd_target *t)
{
    t->real_files |= t->fork;
    t->fork = true;
    t->runtime->options->settings.fork = 1;
    t->runtime->options->settings.real_files = t->real_files;
}

hd_execution hd_target_run(hd_target *t, const hd_plan *plan)
{
    return run(t, plan, t->fork);
}

hd_execution hd_target_run_fresh(hd_target *t, const hd_plan *plan)
{
    return run(t, plan, true);
}

hd_execution hd_target_last(const hd_target *t)
{
    const hd_runtime *r = t->runtime;
    return (hd_execution) { .log = r->log,
        .log_count = *r->log_count,
        .looks = (const hd_op(*)[HD_MOST_LOOKS])r->looks,
        .operands = r->operands,
        .calls = r->calls,
        .block = t->fork ? NULL : r->block,
        .threads = r->threads,
        .thread_count = *r->thread_count,
        .outcome = r->outcome,
        .covered = r->covered,
        .covered_count = r->covered_count ? *r->covered_count : 0,
        .inputs = r->inputs,
        .input_count = r->input_count ? *r->input_count : 0,
        .exprs = r->exprs,
        .expr_count = r->expr_count ? *r->expr_count : 0,
        .alternatives = t->alternatives.items,
        .alternative_steps = (uint32_t)t->alternatives.count,
        .choices = t->choices.items,
        .picks = t->engine.followed };
}
