/* Standard input of the tested program: the same bytes in every execution.
 *
 * A file is read from the offset that it had when heddle was started. A pipe is
 * read to its end when an execution first reads it; the data goes to a file in
 * memory, which is standard input from then on, in all processes of the check. A
 * terminal is replaced by an empty input, and the report says so if an execution
 * reads it. Inputs of the search (--sym-stdin) are a file in memory, too. The
 * offset is restored like that of any other descriptor. */
#ifndef HD_RUNTIME_RESET_STDIN_H
#define HD_RUNTIME_RESET_STDIN_H

/* Makes descriptor 0 what executions read. `inputs` is a file in memory with inputs of the search, or -1. Run by
 * hand, descriptor 0 stays as it is. */
void hd_stdin_init(int inputs);

/* An execution is about to read from descriptor 0. */
void hd_stdin_used(void);

#endif
