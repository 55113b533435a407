#include "report/junit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Control characters, which XML does not allow, become question marks. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else if (c == '\n' || c == '\t')
            fputs(c == '\n' ? "&#10;" : "&#9;", out);
        else
            putc(c < ' ' ? '?' : c, out);
    }
}

static const char *element_of(hd_report_case_result result)
{
    return result == HD_REPORT_FAILED ? "failure" : result == HD_REPORT_SKIPPED ? "skipped" : "error";
}

static void put_case(FILE *out, const char *suite, const hd_report_case *c)
{
    fputs("  <testcase classname=\"", out);
    put_text(out, suite);
    fputs("\" name=\"", out);
    put_text(out, c->name);
    fprintf(out, "\" time=\"%.6f\"", c->seconds);
    if (c->result == HD_REPORT_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fprintf(out, ">\n    <%s ", element_of(c->result));
    if (c->result != HD_REPORT_SKIPPED) {
        fputs("type=\"", out);
        put_text(out, c->kind);
        fputs("\" ", out);
    }
    fputs("message=\"", out);
    put_text(out, c->message);
    fputs("\"/>\n  </testcase>\n", out);
}

bool hd_report_junit(const char *suite, const hd_report_case *cases, size_t count, const char *path, hd_error *error)
{
    size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    FILE *out = fopen(path, "w");
    if (!out)
        return hd_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    /* The totals are attributes of the root element: count first. */
    for (size_t i = 0; i < count; i++) {
        failures += cases[i].result == HD_REPORT_FAILED;
        errors += cases[i].result == HD_REPORT_ERROR || cases[i].result == HD_REPORT_LIMITED;
        skipped += cases[i].result == HD_REPORT_SKIPPED;
        seconds += cases[i].seconds;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
    put_text(out, suite);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\">\n", count, failures,
        errors, skipped, seconds);
    for (size_t i = 0; i < count; i++)
        put_case(out, suite, &cases[i]);
    fputs("</testsuite>\n", out);
    bool written = !fflush(out) && !ferror(out);
    written &= !fclose(out);
    return written || hd_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}
