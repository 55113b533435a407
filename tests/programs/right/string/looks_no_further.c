// strcmp and strchr look no further than they need to: what the other thread
// writes behind is not theirs.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[32] = "abcdefgh:rest";

static void *writes(void *unused)
{
    strcpy(text + 16, "other");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    assert(strchr(text, ':') == text + 8);
    assert(strcmp(text, "abcdefgx") < 0);
    assert(strncmp(text, "abcd", 4) == 0);
    assert(memchr(text, 'h', 32) == text + 7);
    pthread_join(t, NULL);
}
