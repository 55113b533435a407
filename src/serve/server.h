/* heddle serve: pages about runs, and the pairs page, for browsers on this machine (docs/reports.md).
 *
 * The server has one thread and one loop. It waits for connections and jobs together; an answer that needs a job
 * suspends its connection. A connection that has not finished a request within HD_SERVE_PATIENCE seconds is cut,
 * however busy it looks: a client that sends a byte now and then holds a place for no longer than one that sends
 * nothing. The time of jobs does not count; they have limits of their own.
 *
 * The folder and its libraries are a shared object, serve.so, which the command loads to serve: every other command
 * starts in half the time without them. */
#ifndef HD_SERVE_SERVER_H
#define HD_SERVE_SERVER_H

#include "base/error.h"

#include <signal.h>
#include <stdint.h>

enum { HD_SERVE_PATIENCE = 10, HD_SERVE_MOST_CONNECTIONS = 64 };

typedef struct hd_serve_server hd_serve_server;

/* `port` 0: any that is free. */
hd_serve_server *hd_serve_server_open(const char *folder, uint16_t port, hd_error *error);
void hd_serve_server_close(hd_serve_server *s);

/* Where the pages are, with the token. */
const char *hd_serve_server_address(const hd_serve_server *s);

/* Serves until *stop is set. */
bool hd_serve_server_run(hd_serve_server *s, const volatile sig_atomic_t *stop, hd_error *error);

/* The functions above, for a command that loads them. */
typedef struct hd_serve_calls {
    hd_serve_server *(*open)(const char *folder, uint16_t port, hd_error *error);
    void (*close)(hd_serve_server *s);
    const char *(*address)(const hd_serve_server *s);
    bool (*run)(hd_serve_server *s, const volatile sig_atomic_t *stop, hd_error *error);
} hd_serve_calls;

/* Weak: the command does not link them. */
extern const hd_serve_calls hd_serve_server_calls __attribute__((weak));

#endif
