/* A recorded failure in gdb: stopped at the operation that fails. */
#ifndef HD_SUPERVISOR_DEBUG_H
#define HD_SUPERVISOR_DEBUG_H

#include "supervisor/replay.h"

/* Is gdb installed? */
bool hd_debug_is_possible(hd_arena *arena, hd_error *error);

/* Runs `replay` under gdb until the user ends it. `run` is the same replay without gdb: it tells where to
 * stop. False: heddle is not installed completely. */
bool hd_debug(hd_replay *replay, const hd_recorded_run *run, hd_arena *arena, hd_error *error);

#endif
