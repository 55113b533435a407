/* Several workers on one check (worker/crew.h): for each a process that supervises it as if it were the only one.
 * This process watches them all, sums up their counts, and stops them together. */
#ifndef HD_SUPERVISOR_CREW_H
#define HD_SUPERVISOR_CREW_H

#include "supervisor/supervisor.h"

/* Why the session cannot be divided among workers; NULL: it can. */
const char *hd_crew_cannot(const hd_session_config *config);

/* As hd_supervisor_run, with the workers that the session's configuration asks for. At the end the supervisor's session
 * has the sums. `options` are the supervisor's. */
bool hd_crew_run(hd_supervisor *v, const hd_supervisor_options *options, hd_error *error);

#endif
