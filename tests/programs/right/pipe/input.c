// An input that passes a pipe is no longer tracked: the verdict says that its other values are not explored.
// EXPECT: bound
// CFLAGS: -fheddle-inputs
// TESTS: 1
#include <assert.h>
#include <heddle.h>
#include <unistd.h>

int main(void)
{
    int ends[2], x = heddle_int("x"), y;
    assert(pipe(ends) == 0 && write(ends[1], &x, sizeof x) == sizeof x && read(ends[0], &y, sizeof y) == sizeof y);
    assert(y != 77777);
}
