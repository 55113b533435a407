// Priority inheritance is not modelled.
// EXPECT: finding model-limit at 12
// TESTS: 1
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void)
{
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL);
}
