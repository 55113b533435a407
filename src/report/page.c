#include "report/page.h"

#include "base/file.h"
#include "report/page_data.h"
#include "report/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files of report/html (assets.S); each ends with a zero byte. */
extern const char hd_report_html[], hd_report_js[];

/* --- the data ----------------------------------------------------------------------------------- */

/* The report as on a terminal. */
static char *text_of(const hd_report_result *r)
{
    char *text = NULL, verdict[1024];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    hd_report_text to = hd_report_text_for(out);
    for (size_t i = 0; i < r->notice_count; i++)
        fprintf(out, "heddle: %s\n", r->notices[i]);
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_report_counts(&r->findings[i]))
            hd_report_print(&to, &r->findings[i], r->program);
        else if (!r->findings[i].suppressed)
            hd_report_limit(&to, &r->findings[i]);
    hd_report_verdict(r, verdict, sizeof verdict);
    fprintf(out, "heddle: %s\n", verdict);
    fclose(out);
    return text;
}

void hd_report_result_write(const hd_report_result *r, const char *version, FILE *out)
{
    char *text = text_of(r);
    hd_report_page_data(r, version, text, out);
    free(text);
}

bool hd_report_store(const hd_report_result *r, const char *version, const char *path, hd_error *error)
{
    FILE *out = hd_file_create(path, error);
    if (!out)
        return false;
    hd_report_result_write(r, version, out);
    return hd_file_close(out, path, error);
}

/* --- the page ------------------------------------------------------------------------------------- */

static void put_escaped(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '<')
            fputs("&lt;", out);
        else if (text[i] == '&')
            fputs("&amp;", out);
        else
            putc(text[i], out);
}

/* In JSON, the character occurs in texts only, where it may be escaped. So nothing in it ends the script element. */
static void put_json(FILE *out, const char *data)
{
    for (; *data; data++)
        if (*data == '<')
            fputs("\\u003c", out);
        else
            putc(*data, out);
}

/* The text of the field that comes second in a stored result, decoded; NULL: it is damaged. */
static char *stored_text(const char *data)
{
    const char *key = strstr(data, "\"text\":"), *from = key ? strchr(key + 7, '"') : NULL;
    if (!from)
        return NULL;
    char *text = malloc(strlen(from) + 1), *to = text;
    for (from++; *from && *from != '"'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        /* Other control characters do not occur in a report; as blanks they do no harm. */
        if (*from == 'u')
            from += strnlen(from, 5) - 1;
        *to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from == '"' || *from == '\\' || *from == '/' ? *from : ' ';
    }
    *to = '\0';
    return text;
}

/* Of a page in a file; a server sends its policy in front of the page. */
static const char own_policy[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                                 "'unsafe-inline'; script-src 'unsafe-inline'\">";

/* A style or script element; without a nonce, the page's own policy allows it. */
static void put_element(FILE *out, const char *name, const char *nonce, const char *text)
{
    fprintf(out, *nonce ? "<%s nonce=\"%s\">\n" : "<%s>\n", name, nonce);
    fprintf(out, "%s</%s>", text, name);
}

/* Copies the frame and fills in what its marks stand for. */
static void write_page(FILE *out, const char *data, const char *text, const hd_report_served *served)
{
    const char *from = hd_report_html;
    for (const char *mark; (mark = strstr(from, "<!--{"));) {
        fwrite(from, 1, (size_t)(mark - from), out);
        if (!strncmp(mark, "<!--{head}-->", 13))
            fputs(served->head, out);
        else if (!strncmp(mark, "<!--{style}-->", 14))
            put_element(out, "style", served->nonce, hd_report_css);
        else if (!strncmp(mark, "<!--{script}-->", 15))
            put_element(out, "script", served->nonce, hd_report_js);
        else if (!strncmp(mark, "<!--{data}-->", 13))
            put_json(out, data);
        else if (!strncmp(mark, "<!--{more}-->", 13))
            fputs(served->more, out);
        else
            put_escaped(out, text, strlen(text));
        from = strstr(mark, "-->") + 3;
    }
    fputs(from, out);
}

bool hd_report_page_write(const char *data, const hd_report_served *served, FILE *out)
{
    char *text = stored_text(data);
    if (text)
        write_page(out, data, text, served);
    bool whole = text;
    free(text);
    return whole;
}

static bool make_page(const char *data, const char *path, hd_error *error)
{
    char *text = stored_text(data);
    if (!text)
        return hd_fail(error, "the result is damaged; 'heddle check --result=FILE' writes one");
    FILE *out = hd_file_create(path, error);
    if (out)
        write_page(out, data, text, &(hd_report_served) { "", own_policy, "" });
    free(text);
    return out && hd_file_close(out, path, error);
}

bool hd_report_page(const hd_report_result *r, const char *version, const char *path, hd_error *error)
{
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    hd_report_result_write(r, version, out);
    fclose(out);
    bool made = make_page(data, path, error);
    free(data);
    return made;
}

bool hd_report_is_result(const char *data)
{
    const char *format = strstr(data, "\"" HD_REPORT_RESULT_FORMAT "\"");
    return data[0] == '{' && format && format - data < 40;
}

bool hd_report_page_of(const char *result, const char *path, hd_arena *arena, hd_error *error)
{
    size_t size;
    FILE *in = fopen(result, "r");
    if (!in)
        return hd_fail(error, "%s: the result cannot be read: %s", result, strerror(errno));
    char *data = hd_file_read(in, arena, &size);
    fclose(in);
    bool known = hd_report_is_result(data) && strlen(data) == size;
    return known ? make_page(data, path, error)
                 : hd_fail(error, "%s: not a result of 'heddle check --result=FILE'", result);
}
