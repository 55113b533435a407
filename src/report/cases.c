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
    return failed ? HD_EXIT_FOUND : unfit || limited ? HD_EXIT_BOUND : HD_EXIT_CLEAN;
}
