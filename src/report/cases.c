#include "report/cases.h"

#include "base/error.h"

static size_t number_of(const hd_report_case *cases, size_t count, hd_report_case_result result)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++)
        number += cases[i].result == result;
    return number;
}

static const char *third_person(size_t count)
{
    return count == 1 ? "s" : "";
}

static int status_of(const hd_report_case *cases, size_t count)
{
    size_t others = number_of(cases, count, HD_REPORT_ERROR) + number_of(cases, count, HD_REPORT_LIMITED);
    return number_of(cases, count, HD_REPORT_FAILED) ? HD_EXIT_FOUND : others ? HD_EXIT_BOUND : HD_EXIT_CLEAN;
}

int hd_report_cases(const hd_report_case *cases, size_t count, FILE *out)
{
    size_t failed = number_of(cases, count, HD_REPORT_FAILED), unfit = number_of(cases, count, HD_REPORT_ERROR);
    size_t limited = number_of(cases, count, HD_REPORT_LIMITED);
    for (size_t i = 0; i < count; i++)
        if (cases[i].result != HD_REPORT_PASSED)
            fprintf(out, "%s: %s: %s\n", cases[i].name, cases[i].kind, cases[i].message);
    fprintf(out, "heddle: %zu of %zu tests pass", count - failed - unfit - limited, count);
    if (failed)
        fprintf(out, ", %zu fail%s ('heddle replay' with the name of a test shows what happens)", failed,
            third_person(failed));
    if (unfit)
        fprintf(out, ", %zu no longer fit%s the program ('heddle suite --update=SUITE' brings a suite up to date)",
            unfit, third_person(unfit));
    if (limited)
        fprintf(out, ", %zu end%s at a limit of heddle", limited, third_person(limited));
    fprintf(out, "\n");
    return status_of(cases, count);
}

/* A text between double quotes, as in YAML. */
static void put_quoted(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  %s: \"", name);
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            putc(' ', out);
        else
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputs("\"\n", out);
}

/* A number sign would begin a directive, and a line feed end the line. */
static void put_description(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '#')
            fputs("\\#", out);
        else
            putc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

int hd_report_tap(const hd_report_case *cases, size_t count, FILE *out)
{
    fprintf(out, "TAP version 13\n1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        const hd_report_case *c = &cases[i];
        fprintf(out, "%s %zu - ", c->result == HD_REPORT_PASSED ? "ok" : "not ok", i + 1);
        put_description(out, c->name);
        putc('\n', out);
        if (c->result == HD_REPORT_PASSED)
            continue;
        fputs("  ---\n", out);
        put_quoted(out, "kind", c->kind);
        put_quoted(out, "message", c->message);
        fputs("  ...\n", out);
    }
    return status_of(cases, count);
}
