#include "serve/digest.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct reader {
    const char *at;
    const char *const *left_out;
    FILE *out; /* NULL: the value is skipped */
} reader;

static void put(const reader *r, const char *from, const char *to)
{
    if (r->out)
        fwrite(from, 1, (size_t)(to - from), r->out);
}

static char next(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    return *r->at;
}

/* Behind the closing quote of the text that begins at `at`; NULL: it has none. */
static const char *end_of_text(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

static bool copy_text(reader *r)
{
    const char *end = *r->at == '"' ? end_of_text(r->at) : NULL;
    if (end)
        put(r, r->at, end);
    r->at = end ? end : r->at;
    return end;
}

/* A number, true, false or null. */
static bool copy_word(reader *r)
{
    size_t length = strspn(r->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    put(r, r->at, r->at + length);
    r->at += length;
    return length;
}

static bool is_left_out(const reader *r, const char *key, size_t length)
{
    for (const char *const *name = r->left_out; *name; name++)
        if (strlen(*name) == length && !memcmp(*name, key, length))
            return true;
    return false;
}

static bool copy_value(reader *r, int depth);

/* Writes the comma before a member if one was written before it. */
static bool copy_member(reader *r, int depth, bool *filled)
{
    const char *key = r->at, *end = *key == '"' ? end_of_text(key) : NULL;
    FILE *out = r->out;
    if (!end)
        return false;
    if (is_left_out(r, key + 1, (size_t)(end - key) - 2))
        r->out = NULL;
    if (r->out && *filled)
        putc(',', r->out);
    *filled |= r->out != NULL;
    put(r, key, end);
    r->at = end;
    bool fine = next(r) == ':';
    if (fine)
        put(r, r->at, r->at + 1);
    r->at += fine;
    fine = fine && copy_value(r, depth);
    r->out = out;
    return fine;
}

static bool copy_item(reader *r, int depth, bool *filled)
{
    if (r->out && *filled)
        putc(',', r->out);
    *filled = true;
    return copy_value(r, depth);
}

static bool copy_all(reader *r, int depth, char closer)
{
    bool filled = false;
    put(r, r->at, r->at + 1);
    r->at++;
    while (next(r) != closer) {
        if (!(closer == '}' ? copy_member(r, depth, &filled) : copy_item(r, depth, &filled)))
            return false;
        if (next(r) == ',')
            r->at++;
        else if (*r->at != closer)
            return false;
    }
    put(r, r->at, r->at + 1);
    r->at++;
    return true;
}

static bool copy_value(reader *r, int depth)
{
    if (depth == DEEPEST)
        return false;
    switch (next(r)) {
    case '{':
        return copy_all(r, depth + 1, '}');
    case '[':
        return copy_all(r, depth + 1, ']');
    case '"':
        return copy_text(r);
    default:
        return copy_word(r);
    }
}

bool hd_serve_digest(const char *text, const char *const *left_out, FILE *out)
{
    reader r = { text, left_out, out };
    return copy_value(&r, 0) && !next(&r);
}
