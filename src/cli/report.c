/* heddle report: the page of a stored result. */
#include "base/error.h"
#include "report/page.h"

#include <stdio.h>

#define HD_VERB report
#define REPORT_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "report [-o FILE] RESULT",
    "Makes an HTML page of the result that 'heddle check --result=RESULT' stored.", rows, sizeof rows / sizeof *rows };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

int hd_cli_verb_report(int argc, char **argv);

int hd_cli_verb_report(int argc, char **argv)
{
    report_options o = defaults;
    hd_error error = { "" };
    hd_arena arena;
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error))
        return fail(error.text);
    if (count != 1)
        return fail("one result is needed: 'heddle check --result=FILE' writes it");
    hd_arena_init(&arena, &hd_heap);
    const char *page = o.o ? o.o : hd_arena_print(&arena, "%s.html", argv[0]);
    bool made = hd_report_page_of(argv[0], page, &arena, &error);
    if (made && !o.o)
        printf("heddle: %s\n", page);
    hd_arena_fini(&arena);
    return made ? HD_EXIT_CLEAN : fail(error.text);
}
