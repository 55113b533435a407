/* System calls of the runtime itself: its code is exempt from the interception of system calls
 * (runtime/reset/trap.h). */
#ifndef HD_RUNTIME_CORE_SYSTEM_H
#define HD_RUNTIME_CORE_SYSTEM_H

/* A system call: number, then arguments. Returns the result, or minus the error number. */
long hd_system(long number, ...);

#endif
