/* How ranks meet in collective calls: call N of one rank on a communicator belongs to call N of every other. */
#include "runtime/core/own.h"
#include "runtime/mpi/mpi_internal.h"

#include <stdio.h>
#include <string.h>

enum { USED = 1 << 16 };

/* Objects of operations (abi/shown.def): by communicator, rank and number of the call. */
hd_gate hd_mpi_joined[HD_MPI_CONTEXTS * HD_MPI_RANKS * HD_MPI_COLLECTIVES];

static hd_mpi_joining *joinings; /* in the same order */
static uint32_t *used, used_count;

void hd_mpi_collectives_reset(void)
{
    for (uint32_t i = 0; i < used_count; i++) {
        hd_mpi_joined[used[i]].count = 0;
        joinings[used[i]].call = NULL;
    }
    used_count = 0;
}

static uint32_t index_of(const hd_mpi_comm *c, int rank, uint32_t number)
{
    return ((uint32_t)c->context * HD_MPI_RANKS + (uint32_t)rank) * HD_MPI_COLLECTIVES + number;
}

static void set_up(void)
{
    if (joinings)
        return;
    joinings = hd_own_alloc(HD_MPI_CONTEXTS * HD_MPI_RANKS * HD_MPI_COLLECTIVES * sizeof *joinings);
    used = hd_own_alloc(USED * sizeof *used);
}

hd_mpi_joining *hd_mpi_join(hd_mpi_comm *c, const hd_mpi_joining *mine)
{
    set_up();
    hd_mpi_order(mine->site);
    if (c->collectives == HD_MPI_COLLECTIVES || used_count == USED)
        hd_end(HD_MODEL_LIMIT, mine->site, "more than %d collective calls on a communicator are not modelled",
            HD_MPI_COLLECTIVES);
    uint32_t i = index_of(c, c->rank, c->collectives++);
    used[used_count++] = i;
    joinings[i] = *mine;
    hd_call_site = mine->site;
    hd_data_comes(&hd_mpi_joined[i]);
    return &joinings[i];
}

/* --- agreement --------------------------------------------------------------------------------------------- */

static void describe(const hd_site *site, char *to, size_t size)
{
    const char *slash = strrchr(site->file, '/');
    snprintf(to, size, " (%s:%u)", slash ? slash + 1 : site->file, site->line);
}

static _Noreturn void disagree(const hd_mpi_joining *mine, const hd_mpi_joining *other, int rank, const char *what)
{
    char place[48] = "";
    describe(other->site, place, sizeof place);
    hd_end(HD_MESSAGE, mine->site, "%s, but rank %d calls %s%s with another %s", mine->call, rank, other->call, place,
        what);
}

static void compare(const hd_mpi_joining *mine, const hd_mpi_joining *other, int rank)
{
    if (strcmp(mine->call, other->call)) {
        char place[48] = "";
        describe(other->site, place, sizeof place);
        hd_end(HD_MESSAGE, mine->site, "collective calls in different order: %s, but rank %d calls %s%s", mine->call,
            rank, other->call, place);
    }
    if (mine->root != other->root)
        disagree(mine, other, rank, "root");
    if (mine->op != other->op)
        disagree(mine, other, rank, "operation");
    if (mine->agrees && (mine->elements != other->elements || mine->pattern != other->pattern))
        disagree(mine, other, rank, mine->pattern != other->pattern ? "datatype" : "count");
}

const hd_mpi_joining *hd_mpi_await_rank(const hd_mpi_comm *c, const hd_mpi_joining *mine, int rank, int spared)
{
    uint32_t number = (uint32_t)(mine - joinings) % HD_MPI_COLLECTIVES, i = index_of(c, rank, number);
    hd_call_site = mine->site;
    if (rank != c->rank)
        hd_mpi_await(&hd_mpi_joined[i], spared);
    compare(mine, &joinings[i], rank);
    return &joinings[i];
}

void hd_mpi_await_all(const hd_mpi_comm *c, const hd_mpi_joining *mine)
{
    for (int i = 0; i < c->size; i++)
        hd_mpi_await_rank(c, mine, i, 0);
}

/* Calls of which no rank has looked at another's: a broadcast from two different roots. */
void hd_mpi_compare_calls(const hd_mpi_comm *c, const hd_site *site)
{
    for (uint32_t number = 0; number < c->collectives; number++)
        for (int i = 0; i < c->size; i++) {
            const hd_mpi_joining *mine = &joinings[index_of(c, c->rank, number)],
                                 *other = &joinings[index_of(c, i, number)];
            if (other->call)
                compare(mine, other, i);
            else
                hd_end(HD_MESSAGE, site, "rank %d has never called %s, as rank %d has", i, mine->call, c->rank);
        }
}
