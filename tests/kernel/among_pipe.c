// Two writers and a reader that does not wait: what it gets depends on the schedule.
// AMONG: 12
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>

static int p[2];

static void *writes(void *text)
{
    write(p[1], text, 2);
    return NULL;
}

static void a_reader_among_writers(void)
{
    pthread_t t[2];
    char c[8];
    TRY(pipe2(p, O_NONBLOCK));
    pthread_create(&t[0], NULL, writes, "ab");
    pthread_create(&t[1], NULL, writes, "cd");
    for (int i = 0; i < 2; i++) {
        long n = TRY(read(p[0], c, 3));
        say_bytes("got", c, n);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    long n = TRY(read(p[0], c, 8));
    say_bytes("got", c, n);
}

int main(void)
{
    RUN(a_reader_among_writers);
    return finish();
}
