#include "base/json.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* The length of the UTF-8 sequence at `s`, or 0 if there is none. 0xc0, 0xc1 and 0xf5 to 0xff never
 * begin one. */
static int sequence(const unsigned char *s)
{
    int length = s[0] < 0x80          ? 1
        : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
        : (s[0] & 0xf0) == 0xe0       ? 3
        : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                      : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static void quote(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = sequence(s);
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", out);
        else if (*s == '\t')
            fputs("\\t", out);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else if (length == 0)
            fputs("\\ufffd", out);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length ? length : 1;
    }
    putc('"', out);
}

/* Separator, line break, indentation and key: everything in front of a value. */
static void begin(hd_json *j, const char *key)
{
    if (j->filled[j->depth])
        putc(',', j->out);
    if (j->depth > 0)
        fprintf(j->out, "\n%*s", j->depth * 2, "");
    j->filled[j->depth] = true;
    if (key) {
        quote(j->out, key);
        fputs(": ", j->out);
    }
}

static void nest(hd_json *j, const char *key, char opener)
{
    begin(j, key);
    putc(opener, j->out);
    j->depth++;
    hd_assert(j->depth < (int)(sizeof j->filled / sizeof j->filled[0]));
    j->filled[j->depth] = false;
}

void hd_json_open(hd_json *j, FILE *out)
{
    memset(j, 0, sizeof *j);
    j->out = out;
}

void hd_json_object(hd_json *j, const char *key)
{
    nest(j, key, '{');
}

void hd_json_array(hd_json *j, const char *key)
{
    nest(j, key, '[');
}

void hd_json_end(hd_json *j, char closer)
{
    bool filled = j->filled[j->depth--];
    if (filled)
        fprintf(j->out, "\n%*s", j->depth * 2, "");
    putc(closer, j->out);
    /* The document ends with a line break. */
    if (j->depth == 0)
        putc('\n', j->out);
}

void hd_json_text(hd_json *j, const char *key, const char *value)
{
    begin(j, key);
    if (value)
        quote(j->out, value);
    else
        fputs("null", j->out);
}

void hd_json_int(hd_json *j, const char *key, int64_t value)
{
    begin(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void hd_json_real(hd_json *j, const char *key, double value)
{
    begin(j, key);
    fprintf(j->out, "%.6g", value);
}

void hd_json_bool(hd_json *j, const char *key, bool value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->out);
}
