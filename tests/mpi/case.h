/* Cases of MPI. A file is one program with many cases; its argument selects one (run). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define ANY MPI_ANY_SOURCE
#define INT MPI_INT

struct mpi_case {
    const char *name;
    void (*run)(void);
    int level;
    struct mpi_case *next;
};

static struct mpi_case *cases;

#define AT_LEVEL(name, level) \
    static void name(void); \
    __attribute__((constructor)) static void add_##name(void) \
    { \
        static struct mpi_case c = { #name, name, level, NULL }; \
        c.next = cases; \
        cases = &c; \
    } \
    static void name(void)

/* RIGHT(name, ranks, executions), WRONG(name, ranks, kind of finding, part of its message); THREADS_…: with
 * MPI_THREAD_MULTIPLE. */
#define RIGHT(name, ...) AT_LEVEL(name, MPI_THREAD_SINGLE)
#define WRONG(name, ...) AT_LEVEL(name, MPI_THREAD_SINGLE)
#define THREADS_RIGHT(name, ...) AT_LEVEL(name, MPI_THREAD_MULTIPLE)
#define THREADS_WRONG(name, ...) AT_LEVEL(name, MPI_THREAD_MULTIPLE)

static int rank, size;

/* Messages of one int. */
__attribute__((unused)) static void put(int value, int to, int tag)
{
    MPI_Send(&value, 1, INT, to, tag, WORLD);
}

__attribute__((unused)) static int get(int from, int tag)
{
    int value = -1;
    MPI_Recv(&value, 1, INT, from, tag, WORLD, IGNORE);
    return value;
}

int main(int argc, char **argv)
{
    int level;
    struct mpi_case *c = cases;
    while (strcmp(c->name, argv[1]))
        c = c->next;
    MPI_Init_thread(&argc, &argv, c->level, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    c->run();
    MPI_Finalize();
    return 0;
}
