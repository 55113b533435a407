// Standard input is read from its start in every run; here it is empty.
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *adds(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    char line[8];
    pthread_t t;
    assert(getchar() == EOF && fgets(line, sizeof line, stdin) == NULL && read(0, line, 8) == 0 && feof(stdin));
    pthread_create(&t, NULL, adds, NULL);
    adds(NULL);
    pthread_join(t, NULL);
}
