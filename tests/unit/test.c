#include "unit/test.h"

#include <stdarg.h>
#include <stdbool.h>

static hd_test *tests;
static const char *current;
static int failures_here;

void hd_test_add(hd_test *test)
{
    test->next = tests;
    tests = test;
}

void hd_test_failed(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%s:%d: %s: ", file, line, current);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    failures_here++;
}

/* Without names: every test. */
static bool is_asked_for(const hd_test *test, char **parts)
{
    for (char **part = parts; *part; part++)
        if (strstr(test->name, *part))
            return true;
    return !*parts;
}

/* Arguments: parts of the names of the tests to run. */
int main(int argc, char **argv)
{
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a test that ends the process must not hide those before */
    int passed = 0, failed = 0;
    for (hd_test *test = tests; test; test = test->next) {
        if (!is_asked_for(test, argv + 1))
            continue;
        current = test->name;
        failures_here = 0;
        test->run();
        failures_here ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
