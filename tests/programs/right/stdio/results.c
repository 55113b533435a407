// Output is silent while exploring and gives back what it would have.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    assert(printf("%d %s\n", 42, "text") == 8);
    assert(fprintf(stderr, "%5.2f", 3.14159) == 5);
    assert(puts("hello") > 0);
    assert(putchar('x') == 'x' && putc('y', stdout) == 'y' && fputc(300, stderr) == 300 % 256);
    assert(fputs("abc", stdout) >= 0);
    assert(fwrite("abcdef", 2, 3, stdout) == 3);
    assert(write(STDOUT_FILENO, "abc", 3) == 3);
    assert(dprintf(STDERR_FILENO, "%s", "four") == 4);
    assert(fflush(stdout) == 0 && fflush(NULL) == 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    perror("nothing");
}
