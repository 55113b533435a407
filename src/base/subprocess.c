#include "base/subprocess.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start(char *const *arguments, int output, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    int failure = posix_spawnp(child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

static char *read_all(int fd, hd_arena *arena)
{
    hd_vec(char) bytes = { 0 };
    char chunk[4096];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t i = 0; i < got; i++)
            hd_vec_push(&bytes, chunk[i]);
    char *text = hd_arena_alloc(arena, bytes.count + 1);
    if (bytes.count)
        memcpy(text, bytes.items, bytes.count);
    hd_vec_fini(&bytes);
    return text;
}

bool hd_subprocess_read(char *const *arguments, hd_arena *arena, char **output, hd_error *error)
{
    int line[2], status = 0;
    pid_t child;
    if (pipe2(line, O_CLOEXEC) < 0)
        return hd_fail(error, "%s cannot be started: %s", arguments[0], strerror(errno));
    int failure = start(arguments, line[1], &child);
    /* Our copy of the writing end must be closed, or the end of file never comes. */
    close(line[1]);
    if (!failure)
        *output = read_all(line[0], arena);
    close(line[0]);
    if (failure)
        return hd_fail(error, "%s cannot be started: %s", arguments[0], strerror(failure));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return (WIFEXITED(status) && !WEXITSTATUS(status)) || hd_fail(error, "%s failed", arguments[0]);
}
