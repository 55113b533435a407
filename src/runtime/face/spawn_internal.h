/* What posix_spawn and exec share. */
#ifndef HD_RUNTIME_FACE_SPAWN_INTERNAL_H
#define HD_RUNTIME_FACE_SPAWN_INTERNAL_H

/* The current process becomes the program at the path, or one of that name in the folders of PATH. Returns minus an
 * error number if it does not. `name` is that of the function, for messages. */
int hd_exec_path(const char *path, char *const *arguments, char *const *environment, const char *name);
int hd_exec_search(const char *file, char *const *arguments, char *const *environment, const char *name);

#endif
