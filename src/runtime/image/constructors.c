#include "runtime/image/constructors.h"

#include "runtime/core/state.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024 };

/* In the order in which constructors run. */
static struct {
    hd_init init;
    const hd_init *module; /* the list that it is from */
} list[MOST];
static uint32_t count;

static struct {
    int argc;
    char **argv, **envp;
} arguments;

/* Inserts after the module's own entries of the same or a smaller priority. */
static void insert(const hd_init *init, const hd_init *module, uint32_t first)
{
    if (count == MOST) {
        fprintf(stderr, "heddle: more than %d constructors and destructors\n", MOST);
        exit(2);
    }
    uint32_t at = count++;
    for (; at > first && list[at - 1].init.priority > init->priority; at--)
        list[at] = list[at - 1];
    list[at].init = *init;
    list[at].module = module;
}

static int is_of(uint32_t i, const hd_init *own)
{
    return !own || list[i].module == own;
}

static void run_from(uint32_t first, const hd_init *own)
{
    for (uint32_t i = first; i < count; i++)
        if (is_of(i, own) && !list[i].init.is_destructor)
            list[i].init.function(arguments.argc, arguments.argv, arguments.envp);
}

void hd_constructors_add(const hd_init *start, const hd_init *stop)
{
    uint32_t first = count;
    for (const hd_init *i = start; i < stop; i++)
        insert(i, start, first);
    if (!hd_before_main)
        run_from(first, NULL);
}

void hd_constructors_run(const hd_init *own, int argc, char **argv, char **envp)
{
    arguments.argc = argc;
    arguments.argv = argv;
    arguments.envp = envp;
    run_from(0, own);
}

int hd_has_destructors(const hd_init *own)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_of(i, own) && list[i].init.is_destructor)
            return 1;
    return 0;
}

void hd_destructors_run(const hd_init *own)
{
    for (uint32_t i = count; i-- > 0;)
        if (is_of(i, own) && list[i].init.is_destructor)
            ((void (*)(void))(void *)list[i].init.function)();
}
