// Named semaphores.
#include "transcript.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

static const char *const name = "/heddle-test-semaphore";

static sem_t *opened(const char *call, sem_t *s)
{
    said(call, s == SEM_FAILED ? -1 : 0);
    return s;
}

#define OPEN(...) opened("sem_open(" #__VA_ARGS__ ")", sem_open(__VA_ARGS__))

static int value_of(sem_t *s)
{
    int value = -1;
    sem_getvalue(s, &value);
    return value;
}

static void names(void)
{
    char long_name[300] = "/";
    memset(long_name + 1, 'x', 298);
    sem_unlink(name);
    OPEN(name, O_RDWR);
    OPEN(name, 0);
    TRY(sem_unlink(name));
    sem_t *s = OPEN(name, O_CREAT, 0600, 2);
    say("%d\n", value_of(s));
    OPEN(name, O_CREAT | O_EXCL, 0600, 1);
    sem_t *again = OPEN(name, O_CREAT, 0600, 5);
    say("%d %d\n", s == again, value_of(again));
    TRY(sem_unlink(name));
    OPEN(name, 0);
    TRY(sem_close(again));
    say("%d\n", value_of(s));
    TRY(sem_close(s));
    OPEN("", O_CREAT, 0600, 1);
    OPEN("/", O_CREAT, 0600, 1);
    OPEN("/a/b", O_CREAT, 0600, 1);
    OPEN(long_name, O_CREAT, 0600, 1);
    OPEN(name, O_CREAT, 0600, (unsigned)INT_MAX + 1);
    TRY(sem_unlink("/a/b"));
    TRY(sem_unlink("/"));
    TRY(sem_unlink(long_name));
}

static void values(void)
{
    sem_t *s = OPEN(name, O_CREAT | O_EXCL, 0600, 1), *other = OPEN(name, 0);
    struct timespec past = { 1, 0 };
    TRY(sem_wait(s));
    TRY(sem_trywait(other));
    TRY(sem_timedwait(other, &past));
    TRY(sem_post(other));
    TRY(sem_post(other));
    say("%d\n", value_of(s));
    TRY(sem_trywait(s));
    TRY(sem_wait(other));
    say("%d\n", value_of(s));
    TRY(sem_close(s));
    TRY(sem_close(other));
    TRY(sem_unlink(name));
}

static void a_removed_name_is_free(void)
{
    sem_t *old = OPEN(name, O_CREAT, 0600, 3);
    TRY(sem_unlink(name));
    sem_t *new = OPEN(name, O_CREAT | O_EXCL, 0600, 4);
    say("%d %d %d\n", old == new, value_of(old), value_of(new));
    TRY(sem_post(old));
    say("%d %d\n", value_of(old), value_of(new));
    TRY(sem_close(old));
    TRY(sem_close(new));
    sem_t *again = OPEN(name, 0);
    say("%d\n", value_of(again));
    TRY(sem_close(again));
    TRY(sem_unlink(name));
}

static void not_a_named_one(void)
{
    sem_t own;
    sem_init(&own, 0, 1);
    TRY(sem_close(&own));
}

int main(void)
{
    RUN(names);
    RUN(values);
    RUN(a_removed_name_is_free);
    RUN(not_a_named_one);
    return finish();
}
