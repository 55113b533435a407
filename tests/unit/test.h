/* Unit tests: a file of TEST(name) { … } functions; CHECK goes on after a
 * failure, so that one run shows them all. Each binary prints one line per
 * failure and "N passed, N failed" at the end. */
#ifndef HD_TESTS_UNIT_TEST_H
#define HD_TESTS_UNIT_TEST_H

#include <stdio.h>
#include <string.h>

typedef struct hd_test {
    const char *name;
    void (*run)(void);
    struct hd_test *next;
} hd_test;

void hd_test_add(hd_test *test);
void hd_test_failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define TEST(title) \
    static void title(void); \
    static hd_test test_##title = { #title, title, NULL }; \
    __attribute__((constructor)) static void add_##title(void) \
    { \
        hd_test_add(&test_##title); \
    } \
    static void title(void)

#define CHECK(condition) ((condition) ? (void)0 : hd_test_failed(__FILE__, __LINE__, "%s", #condition))

#define CHECK_INT(actual, expected) \
    do { \
        long long a_ = (long long)(actual), e_ = (long long)(expected); \
        if (a_ != e_) \
            hd_test_failed(__FILE__, __LINE__, "%s is %lld, not %lld", #actual, a_, e_); \
    } while (0)

#define CHECK_TEXT(actual, expected) \
    do { \
        const char *a_ = (actual), *e_ = (expected); \
        if (strcmp(a_, e_)) \
            hd_test_failed(__FILE__, __LINE__, "%s is '%s', not '%s'", #actual, a_, e_); \
    } while (0)

/* A validity function must notice a wrong `field`, and nothing else may be wrong. */
#define CHECK_NOTICED(valid, field, wrong) \
    do { \
        __typeof__((field) + 0) was_ = (field); \
        CHECK(valid); \
        (field) = (wrong); \
        if (valid) \
            hd_test_failed(__FILE__, __LINE__, "%s with %s = %s", #valid, #field, #wrong); \
        (field) = was_; \
    } while (0)

#endif
