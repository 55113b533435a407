#include "serve/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool hd_serve_gate_open(hd_serve_gate *g)
{
    unsigned char bytes[(HD_SERVE_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(g->token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Is `text` the prefix, followed by 127.0.0.1 or localhost, and the port? */
static bool is_own(const hd_serve_gate *g, const char *prefix, const char *text)
{
    static const char *const names[] = { "127.0.0.1", "localhost" };
    char own[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s%s:%u", prefix, names[i], g->port);
        if (!strcmp(text, own))
            return true;
    }
    return false;
}

/* Every byte is compared, so that the time tells nothing about the token. */
static bool has_token(const hd_serve_gate *g, const char *path)
{
    size_t size = HD_SERVE_TOKEN - 1;
    unsigned char wrong = 0;
    if (strlen(path) < size + 2)
        return false;
    for (size_t i = 0; i < size; i++)
        wrong |= (unsigned char)(path[1 + i] ^ g->token[i]);
    return path[0] == '/' && !wrong && path[1 + size] == '/';
}

/* Browsers say where a request comes from; other programs need not. */
static bool is_from_elsewhere(const hd_serve_gate *g, const hd_serve_claims *c)
{
    return (c->origin && !is_own(g, "http://", c->origin))
        || (c->site && strcmp(c->site, "same-origin") != 0 && strcmp(c->site, "none") != 0);
}

static bool is_known_method(const char *method)
{
    return !strcmp(method, "GET") || !strcmp(method, "HEAD") || !strcmp(method, "POST");
}

static int refuse(int status, const char *why, const char **rest)
{
    *rest = why;
    return status;
}

int hd_serve_gate_judge(const hd_serve_gate *g, const hd_serve_claims *c, const char **rest)
{
    if (!c->host || !is_own(g, "", c->host))
        return refuse(403, "the request names another host", rest);
    if (is_from_elsewhere(g, c))
        return refuse(403, "the request comes from another origin", rest);
    if (!has_token(g, c->path))
        return refuse(404, "there is nothing here; the address that heddle serve prints has a token", rest);
    if (!is_known_method(c->method))
        return refuse(405, "only GET, HEAD and POST are answered", rest);
    if (c->length && strtoull(c->length, NULL, 10) > HD_SERVE_MOST_BODY)
        return refuse(413, "the body is too large", rest);
    *rest = c->path + HD_SERVE_TOKEN;
    return 0;
}
