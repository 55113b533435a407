/* 50 branches, each on a byte of its own: the solver has to change one byte at
 * a time, and never to search. */
#include <heddle.h>

static int total;

int main(void)
{
    unsigned char key[50];
    heddle_bytes(key, sizeof key, "key");
    for (int i = 0; i < 50; i++)
        if (key[i] > 'a' + i % 20)
            total++;
    return 0;
}
