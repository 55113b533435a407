/* What conformance programs share. A program runs cases; each records the results of its calls in a transcript. Run
 * natively, the program prints the transcript. Under heddle it gets the native one in NATIVE and compares (WANT):
 *
 *   only    every execution has the same transcript: another one is a failed assertion
 *   among   some execution has it: the one that has fails an assertion, so that the runner knows
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char transcript[1 << 16];
static size_t length;

__attribute__((format(printf, 1, 2), unused)) static void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(transcript + length, sizeof transcript - length, format, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < sizeof transcript - length);
    length += (size_t)n;
}

static inline long said(const char *call, long result)
{
    int error = errno;
    if (result < 0)
        say("%s = %ld %s\n", call, result, strerrorname_np(error));
    else
        say("%s = %ld\n", call, result);
    return result;
}

/* Makes the call and records its result, with the error if it fails. */
#define TRY(call) said(#call, (long)(call))

/* Runs a case: a function without parameters. */
#define RUN(name) \
    do { \
        say("== %s\n", #name); \
        name(); \
    } while (0)

__attribute__((unused)) static void say_bytes(const char *what, const void *bytes, long n)
{
    say("%s:", what);
    for (long i = 0; i < n; i++)
        say(" %02x", ((const unsigned char *)bytes)[i]);
    say("\n");
}

__attribute__((unused)) static int finish(void)
{
    const char *native = getenv("NATIVE"), *want = getenv("WANT");
    if (!native) {
        fputs(transcript, stdout);
        return 0;
    }
    if (want && !strcmp(want, "among")) {
        int is_native = strcmp(native, transcript) == 0;
        assert(!is_native);
        return 0;
    }
    if (strcmp(native, transcript)) {
        fputs(transcript, stdout);
        int is_as_native = 0;
        assert(is_as_native);
    }
    return 0;
}
