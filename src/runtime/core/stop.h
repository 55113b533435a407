/* Where a debugger stops: at the operation that fails. */
#ifndef HD_RUNTIME_CORE_STOP_H
#define HD_RUNTIME_CORE_STOP_H

/* Does nothing; `heddle replay --gdb` has a breakpoint on it. */
void hd_failure_reached(void);

#endif
