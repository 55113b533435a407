/* Inputs that the program does not ask for: arguments, environment variables, standard input and files of unknown
 * content (HD_ENV_SYMBOLIC). They are the first inputs of thread 0. */
#ifndef HD_RUNTIME_SYMBOLIC_SOURCES_H
#define HD_RUNTIME_SYMBOLIC_SOURCES_H

#include <stdint.h>
#include <stdio.h>

/* Reads HD_ENV_SYMBOLIC; an error in it ends the process. */
void hd_sources_init(void);

/* Draws the inputs; called at the start of a run, on its first thread. */
void hd_sources_draw(void);

/* The number of arguments, of which `given` are on the command line; and the text of one that is an input, or NULL. */
int hd_sources_arguments(int given);
int hd_sources_has_arguments(void);
char *hd_sources_argument(int number);

/* A file of unknown content is a file in memory. Opens it by its path, or standard input (NULL), at its start; -1: it
 * is no input. */
int hd_sources_open(const char *path);

/* Bytes of the descriptor have been read from `position` on to `to`: stores their shadows. Bytes that are no inputs
 * have none. */
void hd_sources_read(int fd, int64_t position, void *to, uint64_t bytes);
uint32_t hd_sources_byte(int fd, int64_t position);
int hd_sources_is(int fd);

#endif
