/* 50 branches on words, each on two neighbours: what is changed for one must
 * not disturb the one before it. */
#include <heddle.h>

static int total;

int main(void)
{
    unsigned words[50];
    for (int i = 0; i < 50; i++)
        words[i] = heddle_uint("word");
    for (int i = 0; i < 50; i++)
        if (words[i] * 3 > words[i / 2] + 100u * (unsigned)i)
            total++;
    return 0;
}
