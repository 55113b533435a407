// What threads print is in no order that they could see: one trace.
// EXPECT: complete
// TESTS: 1
#include <pthread.h>
#include <stdio.h>

static void *prints(void *word)
{
    printf("%s\n", (const char *)word);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, prints, "one");
    pthread_create(&b, NULL, prints, "two");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
