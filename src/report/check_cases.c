#include "report/check_cases.h"

#include "base/error.h"
#include "report/suppress.h"

static hd_report_case case_of(const hd_report_finding *f, hd_arena *arena)
{
    const char *kind = hd_finding_word(f->finding.kind);
    return (hd_report_case) { .name = f->location.line
            ? hd_arena_print(arena, "%s in %s (%s)", kind, f->location.function, f->location.file)
            : kind,
        .result = f->suppressed ? HD_REPORT_SKIPPED : HD_REPORT_FAILED,
        .kind = kind,
        .message = f->suppressed ? hd_arena_print(arena, "suppressed by '%s' (%s:%u): %s", f->suppressed->text,
                       f->suppressed->path, f->suppressed->line, f->finding.message)
            : f->location.line
            ? hd_arena_print(arena, "%s:%u: %s", f->location.file, f->location.line, f->finding.message)
            : f->finding.message };
}

size_t hd_report_check_cases(const hd_report_result *r, const hd_report_case **cases, hd_arena *arena)
{
    hd_report_case *all = hd_arena_alloc(arena, (r->finding_count + 1) * sizeof *all);
    int status = hd_report_status(r);
    size_t count = 0;
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_finding_is_bug(&r->findings[i].finding))
            all[count++] = case_of(&r->findings[i], arena);
    if (status != HD_EXIT_FOUND) {
        char verdict[1024];
        hd_report_verdict(r, verdict, sizeof verdict);
        all[count++] = (hd_report_case) { .name = "all schedules",
            .result = status == HD_EXIT_CLEAN ? HD_REPORT_PASSED : HD_REPORT_LIMITED,
            .kind = r->bound ? r->bound : "failure",
            .message = hd_arena_copy(arena, verdict) };
    }
    if (count)
        all[0].seconds = r->seconds;
    *cases = all;
    return count;
}
