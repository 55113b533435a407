// Each function has its own range; a function that is not named keeps its sequence. 2 * 3 * 2 * 1 * 2 * 3 * 2 numbers.
// EXPECT: complete
// OPTIONS: --toss=rand_r:2,random:3 --toss=lrand48:2 --toss=mrand48:1,arc4random:2,arc4random_uniform:3
// TESTS: 144
// DFS: yes
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned state = 7;
    int drawn = rand();
    srand(1);
    assert(drawn == rand());
    assert(rand_r(&state) < 2 && state != 7);
    assert(random() < 3 && lrand48() < 2 && mrand48() == 0 && arc4random() < 2);
    assert(arc4random_uniform(100) < 3); /* the range is the smaller one */
    assert(arc4random_uniform(2) < 2 && arc4random_uniform(1) == 0);
}
