#include "unit/test.h"

#include <stdarg.h>

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

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a test that ends the process must not hide those before */
    int passed = 0, failed = 0;
    for (hd_test *test = tests; test; test = test->next) {
        current = test->name;
        failures_here = 0;
        test->run();
        failures_here ? failed++ : passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
