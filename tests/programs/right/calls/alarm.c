// A watchdog without a handler does not disturb; a signal stack is stored.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    stack_t new = { .ss_sp = malloc(16384), .ss_size = 16384 }, old;
    assert(alarm(10) == 0 && alarm(5) == 10 && alarm(0) == 5);
    assert(sigaltstack(NULL, &old) == 0 && old.ss_flags == SS_DISABLE);
    assert(sigaltstack(&new, NULL) == 0 && sigaltstack(NULL, &old) == 0 && old.ss_sp == new.ss_sp);
    new.ss_size = 1;
    assert(sigaltstack(&new, NULL) == -1 && errno == ENOMEM);
    new.ss_flags = SS_DISABLE;
    assert(sigaltstack(&new, &old) == 0 && sigaltstack(NULL, &old) == 0 && old.ss_flags == SS_DISABLE);
    free(new.ss_sp);
}
