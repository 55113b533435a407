// EXPECT: finding crash
// TESTS: 1
// CFLAGS: -O2 -D_FORTIFY_SOURCE=2
#include <string.h>

int main(int argc, char **argv)
{
    char small[4];
    (void)argv;
    memset(small, 'x', 3 + (size_t)argc * 10);
    return small[0] == 'y';
}
