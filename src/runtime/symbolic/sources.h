/* Inputs that the program does not ask for: arguments, environment variables,
 * standard input and files whose bytes are unknown (HD_ENV_SYMBOLIC). They are
 * the first inputs of thread 0. */
#ifndef HD_RUNTIME_SYMBOLIC_SOURCES_H
#define HD_RUNTIME_SYMBOLIC_SOURCES_H

#include <stdint.h>
#include <stdio.h>

/* Once; an error in what the environment says ends the process. */
void hd_sources_init(void);

/* At the start of a run, on its first thread. */
void hd_sources_draw(void);

/* How many arguments there are, of which `given` are given; and the text of one
 * that is an input, or NULL. */
int hd_sources_arguments(int given);
int hd_sources_has_arguments(void);
char *hd_sources_argument(int number);

/* A file whose bytes are inputs is a file in memory. Opening it, by its path or
 * as standard input (NULL), gives a descriptor at its start; -1: it is no input. */
int hd_sources_open(const char *path);

/* The descriptor's bytes from `position` on have been read: their shadows go
 * where they were put. Those that are not inputs have none. */
void hd_sources_read(int fd, int64_t position, void *to, uint64_t bytes);
uint32_t hd_sources_byte(int fd, int64_t position);
int hd_sources_is(int fd);

#endif
