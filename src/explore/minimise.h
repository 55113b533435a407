/* Minimises a failing test for a human reader: few context switches and small inputs that still show the same finding.
 * A bounded local search, not an optimum. */
#ifndef HD_EXPLORE_MINIMISE_H
#define HD_EXPLORE_MINIMISE_H

#include "base/clock.h"
#include "base/vec.h"
#include "check/finding.h"
#include "target/target.h"

typedef hd_vec(hd_choice) hd_schedule;

/* What reproduces an execution. */
typedef struct hd_test_case {
    hd_schedule schedule;
    hd_given_list inputs;
} hd_test_case;

void hd_test_case_init(hd_test_case *t, hd_memory *memory);
void hd_test_case_fini(hd_test_case *t);
void hd_test_case_copy(hd_test_case *to, const hd_test_case *from);

/* The steps of an execution, as a plan without composition takes them. */
void hd_schedule_of(const hd_execution *e, hd_schedule *out);

/* Its steps and its inputs. */
void hd_test_case_of(const hd_execution *e, hd_test_case *out);

/* Shortens `test`, which shows the finding with this key, by running variations of it. The settings say which
 * checks there are. False: the deadline came first. */
bool hd_minimise(hd_target *target, uint64_t key, const hd_settings *settings, const hd_deadline *deadline,
    hd_test_case *test, hd_memory *memory);

#endif
