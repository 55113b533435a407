#include "report/annotations.h"

#include <stdlib.h>
#include <string.h>

bool hd_report_wants_annotations(void)
{
    const char *value = getenv("GITHUB_ACTIONS");
    return value && !strcmp(value, "true");
}

/* In properties, commas and colons have a meaning, too. */
static void put_escaped(FILE *out, const char *text, bool is_property)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\n' || *text == '\r' || (is_property && strchr(":,", *text)))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            putc(*text, out);
}

static void put_one(const hd_report_finding *f, FILE *out)
{
    fprintf(out, "::%s ", hd_finding_has_accesses(&f->finding) ? "warning" : "error");
    if (f->location.line) {
        fputs("file=", out);
        put_escaped(out, f->location.file, true);
        fprintf(out, ",line=%u,", f->location.line);
        if (f->location.column)
            fprintf(out, "col=%u,", f->location.column);
    }
    fputs("title=heddle%3A ", out);
    put_escaped(out, hd_finding_word(f->finding.kind), true);
    fputs("::", out);
    put_escaped(out, f->finding.message, false);
    if (f->replay) {
        fputs(" (heddle replay ", out);
        put_escaped(out, f->replay, false);
        putc(')', out);
    }
    putc('\n', out);
}

void hd_report_annotations(const hd_report_result *r, FILE *out)
{
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_report_counts(&r->findings[i]))
            put_one(&r->findings[i], out);
}
