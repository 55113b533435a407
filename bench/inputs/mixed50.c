/* 50 branches on one product of two words: every one of them is a question for
 * Z3, and many have no answer. */
#include <heddle.h>

static int total;

int main(void)
{
    unsigned x = heddle_uint("x"), y = heddle_uint("y");
    for (int i = 0; i < 50; i++)
        if ((x * 2654435761u + y + (unsigned)i * 977u) >> 5 & 1u << i % 20)
            total++;
    return 0;
}
