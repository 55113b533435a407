/* The breakpoint of `heddle replay --gdb`: the failing operation. */
#ifndef HD_RUNTIME_CORE_STOP_H
#define HD_RUNTIME_CORE_STOP_H

/* Does nothing; the debugger stops here. */
void hd_failure_reached(void);

#endif
