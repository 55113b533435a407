// A library's constructor calls the program before main: what that leaves is there at the start of every execution. Only a
// thread that it starts makes the verdict incomplete.
// CFLAGS: -Wl,--export-dynamic
// LIBRARY: early
// FOREIGN:
// RUN: EXPECT=complete TESTS=2
// RUN: EXPECT=bound ENV=EARLY_THREAD=1 FOREIGN=libearly.so
#include "../several.h"

#include <assert.h>
#include <stdlib.h>

int early_called(int n), early_unused(void);

static int *made;

int early_called(int n)
{
    made = malloc(sizeof *made);
    *made = n;
    return n;
}

int main(int argc, char **argv)
{
    assert(*made == 4);
    *made = 5;
    several();
    return argc > 99 && *argv ? early_unused() : 0;
}
