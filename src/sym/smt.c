#include "sym/smt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 50 };

struct hd_smt {
    pid_t process;
    int to, from;
    hd_smt_text reply;
};

static void become(const char *path, int in, int out)
{
    /* The solver must not outlive heddle; Ctrl-C is handled by heddle, not by it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execl(path, path, (char *)NULL);
    _exit(127);
}

/* False: the pipes or the process cannot be created. */
static bool start(hd_smt *s, const char *path)
{
    int to[2], from[2];
    if (pipe(to) < 0)
        return false;
    if (pipe(from) < 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(NULL);
    s->process = fork();
    if (s->process == 0) {
        close(to[1]);
        close(from[0]);
        become(path, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    s->to = to[1];
    s->from = from[0];
    return s->process > 0;
}

hd_smt *hd_smt_open(const char *path, hd_error *error)
{
    if (access(path, X_OK) < 0) {
        hd_fail(error, "heddle's solver is missing: %s; build or install heddle again", path);
        return NULL;
    }
    hd_smt *s = hd_alloc(&hd_heap, sizeof *s);
    s->process = s->to = s->from = -1;
    if (start(s, path))
        return s;
    hd_fail(error, "cannot start the solver: %s", strerror(errno));
    hd_smt_close(s);
    return NULL;
}

void hd_smt_close(hd_smt *s)
{
    if (!s)
        return;
    if (s->to >= 0)
        close(s->to);
    if (s->from >= 0)
        close(s->from);
    if (s->process > 0) {
        /* It keeps nothing that would have to be saved. */
        kill(s->process, SIGKILL);
        while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR) { }
    }
    hd_vec_fini(&s->reply);
    hd_release(&hd_heap, s, sizeof *s);
}

void hd_smt_print(hd_smt_text *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    hd_vec_reserve(t, (size_t)length + 1);
    vsnprintf(t->items + t->count, (size_t)length + 1, format, again);
    t->count += (size_t)length;
    va_end(again);
    va_end(arguments);
}

/* --- asking ----------------------------------------------------------------------------------- */

typedef struct question {
    hd_smt *script;
    bool (*goes_on)(void *context);
    void *context;
} question;

/* Waits until `fd` is ready. `goes_on` is polled every LOOK_EVERY_MS. */
static bool wait_for(const question *q, int fd, short events)
{
    struct pollfd p = { .fd = fd, .events = events };
    while (q->goes_on(q->context)) {
        int ready = poll(&p, 1, LOOK_EVERY_MS);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
    return false;
}

static bool transmit(const question *q, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (!wait_for(q, q->script->to, POLLOUT))
            return false;
        size_t part = size - done < 4096
            ? size - done
            : 4096; /* a pipe that polls as writable has room for PIPE_BUF bytes, so write does not block */
        ssize_t n = write(q->script->to, (const char *)bytes + done, part);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive(const question *q, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        if (!wait_for(q, q->script->from, POLLIN))
            return false;
        ssize_t n = read(q->script->from, (char *)bytes + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

const char *hd_smt_ask(
    hd_smt *s, hd_smt_what what, const hd_smt_text *text, bool (*goes_on)(void *context), void *context)
{
    question q = { s, goes_on, context };
    /* The first letter is part of the text. */
    uint32_t size = (uint32_t)text->count + 1;
    char first = (char)what;
    if (s->process <= 0 || !transmit(&q, &size, sizeof size) || !transmit(&q, &first, 1)
        || !transmit(&q, text->items, text->count) || !receive(&q, &size, sizeof size))
        return NULL;
    hd_vec_clear(&s->reply);
    hd_vec_reserve(&s->reply, (size_t)size + 1);
    if (!receive(&q, s->reply.items, size))
        return NULL;
    s->reply.items[size] = '\0';
    return s->reply.items;
}
