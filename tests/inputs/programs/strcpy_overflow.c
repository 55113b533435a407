// The first string that is copied is too long; that its second letter could end it is a branch all the same.
// EXPECT: finding heap-overflow at 20
// EXPECT: finding assertion at 21
// INPUTS: key[0] == 120 and key[1] != 97
// INPUTS: key[0] == 120 and key[1] == 97
// TESTS: 3
// OPTIONS: --stop=never
#include <assert.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char key[3] = { 0 };
    heddle_bytes(key, 2, "key");
    char *copy = malloc(2);
    if (key[0] == 'x') {
        key[1] ^= 'a';
        strcpy(copy, key);
        assert(copy[1]);
    }
    free(copy);
    return 0;
}
