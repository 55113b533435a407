/* The engine's side of the connection to the solver process (sym/wire.h). */
#include "sym/solver.h"
#include "sym/wire.h"

#include "base/descriptor.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 5 /* seconds to wait beyond the time limit of a query */ };

void hd_z3_init(hd_z3 *z, hd_memory *memory)
{
    *z = (hd_z3) { .fd = -1 };
    z->sent.memory = z->message.memory = memory;
}

/* Closes the connection; the process ends when it reads the end of file. */
static void hang_up(hd_z3 *z)
{
    if (z->fd >= 0)
        close(z->fd);
    z->fd = -1;
    hd_z3_forget(z);
}

void hd_z3_fini(hd_z3 *z)
{
    hang_up(z);
    hd_vec_fini(&z->sent);
    hd_vec_fini(&z->message);
}

void hd_z3_attach(hd_z3 *z)
{
    z->fd = -1;
    hd_z3_forget(z);
}

void hd_z3_forget(hd_z3 *z)
{
    hd_vec_clear(&z->sent);
}

/* --- starting ----------------------------------------------------------------------------- */

/* The solver forks and its first process exits, so that the tested program has no child left to wait for. */
static bool spawn(const char *path, int end)
{
    posix_spawn_file_actions_t actions;
    char *arguments[] = { (char *)path, NULL };
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    char ***variables = dlsym(
        RTLD_DEFAULT, "environ"); /* the engine's own symbol may be bound to a copy of `environ` that is never set */
    bool started = posix_spawn(&child, path, &actions, NULL, arguments, variables ? *variables : environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool start(hd_z3 *z, const hd_solver_config *config)
{
    int ends[2];
    if (z->failed || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    /* A solver that cannot be started once is not tried again: every query would cost a fork. */
    z->failed = !spawn(config->path, ends[1]);
    close(ends[1]);
    z->fd = hd_descriptor_set_aside(ends[0], false);
    if (z->failed)
        hang_up(z);
    /* The process enforces the time limit itself; this timeout is for a process that hangs. */
    struct timeval limit = { .tv_sec = config->milliseconds / 1000 + PATIENCE };
    if (!z->failed)
        setsockopt(z->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return !z->failed;
}

/* --- asking ------------------------------------------------------------------------------- */

static void put(hd_z3 *z, const void *bytes, size_t size)
{
    hd_vec_reserve(&z->message, size);
    memcpy(z->message.items + z->message.count, bytes, size);
    z->message.count += size;
}

/* Appends the term and its operands, operands first, except what was sent before. Returns how many
 * were appended. */
static uint32_t put_term(hd_z3 *z, hd_terms *t, hd_term term)
{
    uint32_t count = 0;
    hd_vec_clear(&t->stack);
    hd_vec_push(&t->stack, term);
    while (t->stack.count) {
        hd_term at = *hd_vec_last(&t->stack);
        size_t depth = t->stack.count;
        const hd_term_node *n = hd_term_at(t, at);
        for (uint32_t i = 0; !z->sent.items[at] && i < hd_term_operand_count(n->kind); i++)
            if (!z->sent.items[n->operands[i]])
                hd_vec_push(&t->stack, n->operands[i]);
        if (t->stack.count > depth)
            continue;
        if (!z->sent.items[at]) {
            hd_solve_term sent;
            memset(&sent, 0, sizeof sent);
            sent.term = at;
            sent.node = *n;
            put(z, &sent, sizeof sent);
            z->sent.items[at] = 1;
            count++;
        }
        t->stack.count--;
    }
    return count;
}

/* The request comes first, but its number of terms is known last: it is copied over at the end. */
static void compose(hd_z3 *z, const hd_query *q, uint32_t milliseconds)
{
    hd_solve_request r = { .forget = !z->sent.count,
        .milliseconds = milliseconds,
        .conditions = q->condition_count,
        .inputs = q->input_count };
    while (z->sent.count < q->terms->nodes.count)
        hd_vec_push(&z->sent, (uint8_t)0);
    hd_vec_clear(&z->message);
    put(z, &r, sizeof r);
    for (uint32_t i = 0; i < q->condition_count; i++)
        r.terms += put_term(z, q->terms, q->conditions[i]);
    put(z, q->conditions, q->condition_count * sizeof *q->conditions);
    for (uint32_t i = 0; i < q->input_count; i++)
        put(z, &q->terms->inputs.items[q->inputs[i]].term, sizeof(hd_term));
    memcpy(z->message.items, &r, sizeof r);
}

/* MSG_NOSIGNAL: a process that died must not kill the tested program by SIGPIPE. */
static bool send_all(const hd_z3 *z)
{
    size_t done = 0;
    while (done < z->message.count) {
        ssize_t n = send(z->fd, z->message.items + done, z->message.count - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive(const hd_z3 *z, void *into, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = recv(z->fd, (char *)into + done, size - done, 0);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive_answer(const hd_z3 *z, hd_query *q, hd_answer *answer)
{
    hd_solve_reply r;
    /* Lengths in the reply are checked, since the process may be broken. */
    if (!receive(z, &r, sizeof r) || r.answer > HD_UNKNOWN || r.core > q->condition_count)
        return false;
    if (r.values != (r.answer == HD_SAT ? q->input_count : 0))
        return false;
    for (uint32_t i = 0; i < r.values; i++)
        if (!receive(z, &q->values->items[q->inputs[i]], sizeof(uint64_t)))
            return false;
    hd_vec_clear(&q->core);
    hd_vec_reserve(&q->core, r.core);
    q->core.count = r.core;
    *answer = (hd_answer)r.answer;
    return !r.core || receive(z, q->core.items, r.core * sizeof *q->core.items);
}

/* One that is too slow has not. */
static bool has_ended(const hd_z3 *z)
{
    char byte;
    ssize_t n = recv(z->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno == ECONNRESET);
}

/* A process that was killed says nothing about the query, so another one is asked; one that the query ends, for lack of
 * memory, will end again. */
hd_answer hd_z3_solve(hd_z3 *z, hd_query *q, const hd_solver_config *config, uint32_t milliseconds)
{
    enum { TRIES = 2 };
    hd_answer answer = HD_UNKNOWN;
    bool ended = true;
    for (uint32_t i = 0; i < TRIES && ended; i++) {
        if (z->fd < 0 && !start(z, config))
            return HD_UNKNOWN;
        compose(z, q, milliseconds);
        if (send_all(z) && receive_answer(z, q, &answer))
            return answer;
        ended = has_ended(z);
        hang_up(z); /* it ended or is too slow: the next query starts a new one */
    }
    return HD_UNKNOWN;
}
