/* One execution of the tested program, from its start to its end. What it changes in the process is undone
 * before the next one (runtime/reset). */
#ifndef HD_RUNTIME_RUN_H
#define HD_RUNTIME_RUN_H

/* Runs the program once, from its start to its end. */
void hd_run(void);

/* From here to the first run, constructors of libraries that heddle did not compile may call code of the
 * program: it runs on thread T0, and no other thread exists. */
void hd_run_before_main(void);

#endif
