// The first bytes of a file say which version it is.
// OPTIONS: --exit=any
// EXPECT: finding assertion
// INPUTS: bytes(conf_txt)[:2] == b"V3"
// OPTIONS: --sym-file=conf.txt:2
// TESTS: 3
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char head[2];
    FILE *f = fopen("conf.txt", "r");
    if (!f || fread(head, 1, 2, f) != 2)
        return 1;
    fclose(f);
    if (head[0] == 'V' && head[1] == '3')
        assert(0);
    return 0;
}
