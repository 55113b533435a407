/* Who may ask the server for something.
 *
 * The server listens on the loopback interface only, but every program of the machine and every web page in a browser
 * on it can reach that. So a request must
 *
 *   - name the server as its host: a name that someone else's DNS maps to 127.0.0.1 is refused;
 *   - begin its path with the token, which is random and told to nobody but the user who started the server;
 *   - not come from a page of another origin, also not one that has learned the token;
 *   - be a GET, a HEAD or a POST, with a body of limited size.
 *
 * This is decided from the header alone, before any byte of the body is read. */
#ifndef HD_SERVE_GATE_H
#define HD_SERVE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_SERVE_TOKEN = 33, HD_SERVE_MOST_BODY = 4 << 20 };

typedef struct hd_serve_gate {
    char token[HD_SERVE_TOKEN]; /* 32 hexadecimal digits */
    uint16_t port;
} hd_serve_gate;

/* What a request says of itself; NULL: it has no such header. */
typedef struct hd_serve_claims {
    const char *method, *path;
    const char *host, *origin, *site, *length; /* Host, Origin, Sec-Fetch-Site, Content-Length */
} hd_serve_claims;

/* Draws the token. False: the system has no random numbers. */
bool hd_serve_gate_open(hd_serve_gate *g);

/* 0: the request may be answered, and *rest is its path behind the token, which begins with '/'. Otherwise the status
 * of HTTP that refuses it, and *rest says why. */
int hd_serve_gate_judge(const hd_serve_gate *g, const hd_serve_claims *c, const char **rest);

#endif
