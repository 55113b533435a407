/* Whose turn it is: one explorer, or two that alternate, and *hunters* that look for bugs in between.
 *
 * unfold may need exponentially fewer executions than dpor, but each costs more, and which of them finishes first
 * cannot be known beforehand. So the first explorer starts alone. After that, the second gets eight times as much work
 * as the first; but only the same as long as executions of the first cover two targets on average, because those save
 * others. Both together take little longer than the second alone; and where the first saves much, it ends the search.
 *
 * An explorer goes through schedules in an order that may leave a bug for last. Hunters jump about: pct, pos, surw and
 * preempt, the one with the least work first (docs/algorithms/hunt.md). They begin when the search has taken a tenth of
 * a second, so small programs are not hunted in. A tenth of all work is hunting.
 *
 * Work is what an execution costs: its operations, what its process costs, and what the explorer does to plan it and to
 * learn from it. It is counted, not measured in time, so a search is reproducible.
 *
 * The second explorer composes steps if the configuration says so (runtime/sched/compose.h), and then relies on the
 * lock discipline. If the program violates it, the explorer starts anew with single operations; the first goes on as it
 * was.
 * If its first execution has no step to compose, it goes on with single operations, which are cheaper.
 *
 * Each explorer learns only from its own executions, so it behaves as if it were alone. As soon as either of the two
 * has finished, everything has been explored; what hunters have run does not matter for that. */
#ifndef HD_EXPLORE_TURNS_H
#define HD_EXPLORE_TURNS_H

#include "explore/explorer.h"

typedef struct hd_turns hd_turns;

/* About how much work is done in a second. */
enum { HD_WORK_A_SECOND = 10000000 };

/* `hunts`: with hunters. */
hd_turns *hd_turns_open(const hd_explorer *first, const hd_explorer *second, bool hunts,
    const hd_explore_config *config, hd_memory *memory);
void hd_turns_close(hd_turns *t);

/* Discards everything that was explored. */
void hd_turns_start_over(hd_turns *t);

/* Continues in another process, with its explorers. */
void hd_turns_attach(hd_turns *t, const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config);

/* Decides whose turn it is and gets that explorer's next plan. False: one of the two explorers has finished. */
bool hd_turns_next(hd_turns *t, hd_plan *plan);

/* That explorer learns from the execution of its plan; `forked`: it had a process of its own. False: the execution does
 * not begin as planned. */
bool hd_turns_learn(hd_turns *t, const hd_execution *e, bool forked);

/* The first explorer cannot continue: its data is freed, and the second continues alone. False: there is no second one.
 */
bool hd_turns_give_up(hd_turns *t);

/* Steps are no longer composed: the explorers that have composed some start anew. False: none has. */
bool hd_turns_stop_composing(hd_turns *t);

/* Are steps composed from now on, where the configuration asks for it? */
bool hd_turns_may_compose(const hd_turns *t);

/* Has the explorer whose turn it is composed steps? */
bool hd_turns_composes(const hd_turns *t);

/* Is it a hunter's turn? */
bool hd_turns_hunts(const hd_turns *t);

/* The explorer whose turn it is, and its state. */
const hd_explorer *hd_turns_explorer(const hd_turns *t);
void *hd_turns_self(const hd_turns *t);

/* What the explorer left out, now that it has finished; NULL: nothing. */
const char *hd_turns_unfinished(const hd_turns *t);

/* How far the explorer or the hunter whose schedules are bounded has come. */
hd_bound_reached hd_turns_reached(const hd_turns *t);

double hd_turns_progress(const hd_turns *t);
hd_kept hd_turns_kept(const hd_turns *t);

/* By the first explorer that can draw: explorer.h. */
const char *hd_turns_draw(const hd_turns *t, uint32_t most, size_t *size);

hd_persistent_sizes hd_turns_sizes(const hd_turns *t); /* of the first explorer */

/* The two explorers come first, then the hunters. */
enum { HD_TURNS_EXPLORERS = 2, HD_TURNS_MEMBERS = 6 };

/* The branches on inputs of the last execution of one of them, or of the last execution; NULL: it is not open, or does
 * not explore inputs. */
hd_path *hd_turns_path(const hd_turns *t, uint32_t which);
hd_path *hd_turns_current_path(const hd_turns *t);

#endif
