/* Groups: ordered sets of ranks, from which communicators are made. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

#include <string.h>

static const hd_mpi_group empty = { .used = 1 };

/* NULL: there is no such group. */
const hd_mpi_group *hd_mpi_group_of(MPI_Group group)
{
    const hd_mpi_group *own = hd_mpi_rank_now()->groups;
    int i = group - MPI_GROUP_EMPTY - 1;
    if (group == MPI_GROUP_EMPTY)
        return &empty;
    return i >= 0 && i < HD_MPI_GROUPS && own[i].used ? &own[i] : NULL;
}

static int not_a_group(const hd_site *site)
{
    return hd_mpi_error(NULL, site, MPI_ERR_GROUP, "invalid group");
}

/* An empty group is MPI_GROUP_EMPTY, which need not be freed. */
static int add(const hd_mpi_group *group, MPI_Group *made, const hd_site *site)
{
    hd_mpi_group *own = hd_mpi_rank_now()->groups;
    int i = 0;
    while (i < HD_MPI_GROUPS && own[i].used)
        i++;
    if (i == HD_MPI_GROUPS)
        hd_end(HD_MODEL_LIMIT, site, "more than %d groups of an MPI rank are not modelled", HD_MPI_GROUPS);
    if (group->size) {
        own[i] = *group;
        own[i].used = 1;
        own[i].made = site;
    }
    HD_MPI_TELL(made, group->size ? MPI_GROUP_EMPTY + 1 + i : MPI_GROUP_EMPTY);
    return MPI_SUCCESS;
}

/* Where the rank of MPI_COMM_WORLD is in the group; MPI_UNDEFINED: nowhere. */
int hd_mpi_group_find(const hd_mpi_group *g, uint32_t world)
{
    for (int i = 0; i < g->size; i++)
        if (g->world[i] == world)
            return i;
    return MPI_UNDEFINED;
}

static void append(hd_mpi_group *g, uint8_t world)
{
    g->world[g->size++] = world;
}

/* --- asking ------------------------------------------------------------------------------------------------ */

HD_FACE int hd_MPI_Group_size(MPI_Group group, int *size)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_size");
    const hd_mpi_group *g = hd_mpi_group_of(group);
    if (!g)
        return not_a_group(site);
    HD_MPI_TELL(size, g->size);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Group_rank(MPI_Group group, int *rank)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_rank");
    const hd_mpi_group *g = hd_mpi_group_of(group);
    if (!g)
        return not_a_group(site);
    HD_MPI_TELL(rank, hd_mpi_group_find(g, hd_mpi_rank_number()));
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Group_compare(MPI_Group a, MPI_Group b, int *result)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_compare");
    const hd_mpi_group *x = hd_mpi_group_of(a), *y = hd_mpi_group_of(b);
    if (!x || !y)
        return not_a_group(site);
    int same = x->size == y->size, similar = same;
    for (int i = 0; i < x->size && similar; i++) {
        same &= x->world[i] == y->world[i];
        similar = hd_mpi_group_find(y, x->world[i]) != MPI_UNDEFINED;
    }
    HD_MPI_TELL(result, same ? MPI_IDENT : similar ? MPI_SIMILAR : MPI_UNEQUAL);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Group_translate_ranks(MPI_Group a, int count, const int *ranks, MPI_Group b, int *translated)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_translate_ranks");
    const hd_mpi_group *x = hd_mpi_group_of(a), *y = hd_mpi_group_of(b);
    if (!x || !y)
        return not_a_group(site);
    hd_access_range(ranks, (uint64_t)count * sizeof *ranks, site, 0);
    for (int i = 0; i < count; i++) {
        if (ranks[i] != MPI_PROC_NULL && (ranks[i] < 0 || ranks[i] >= x->size))
            return hd_mpi_error(NULL, site, MPI_ERR_RANK, "rank %d is not in the group of %d ranks", ranks[i], x->size);
        int is_null = ranks[i] == MPI_PROC_NULL;
        HD_MPI_TELL(&translated[i], is_null ? MPI_PROC_NULL : hd_mpi_group_find(y, x->world[ranks[i]]));
    }
    return MPI_SUCCESS;
}

/* --- making ------------------------------------------------------------------------------------------------ */

HD_FACE int hd_MPI_Comm_group(MPI_Comm comm, MPI_Group *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_group");
    const hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    hd_mpi_group g = { .size = c->size };
    memcpy(g.world, c->world, sizeof g.world);
    return add(&g, made, site);
}

/* Marks the ranks of the group that are listed. */
static int mark(const hd_mpi_group *g, int count, const int *ranks, uint8_t *listed, const hd_site *site)
{
    if (!g)
        return not_a_group(site);
    if (count < 0)
        return hd_mpi_error(NULL, site, MPI_ERR_ARG, "negative count %d", count);
    hd_access_range(ranks, (uint64_t)count * sizeof *ranks, site, 0);
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= g->size)
            return hd_mpi_error(NULL, site, MPI_ERR_RANK, "rank %d is not in the group of %d ranks", ranks[i], g->size);
        if (listed[ranks[i]])
            return hd_mpi_error(NULL, site, MPI_ERR_RANK, "rank %d is listed twice", ranks[i]);
        listed[ranks[i]] = 1;
    }
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_incl");
    const hd_mpi_group *g = hd_mpi_group_of(group);
    hd_mpi_group result = { 0 };
    uint8_t listed[HD_MPI_RANKS] = { 0 };
    int error = mark(g, count, ranks, listed, site);
    for (int i = 0; i < count && !error; i++)
        append(&result, g->world[ranks[i]]);
    return error ? error : add(&result, made, site);
}

HD_FACE int hd_MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_excl");
    const hd_mpi_group *g = hd_mpi_group_of(group);
    hd_mpi_group result = { 0 };
    uint8_t listed[HD_MPI_RANKS] = { 0 };
    int error = mark(g, count, ranks, listed, site);
    for (int i = 0; !error && i < g->size; i++)
        if (!listed[i])
            append(&result, g->world[i]);
    return error ? error : add(&result, made, site);
}

/* The ranks of `a` that are in `b` or not, and those of `b` alone if `more` is set. */
static int combine(MPI_Group a, MPI_Group b, int in, int out, int more, MPI_Group *made, const char *call)
{
    const hd_site *site = hd_mpi_begin(call);
    const hd_mpi_group *x = hd_mpi_group_of(a), *y = hd_mpi_group_of(b);
    if (!x || !y)
        return not_a_group(site);
    hd_mpi_group result = { 0 };
    for (int i = 0; i < x->size; i++)
        if (hd_mpi_group_find(y, x->world[i]) != MPI_UNDEFINED ? in : out)
            append(&result, x->world[i]);
    for (int i = 0; more && i < y->size; i++)
        if (hd_mpi_group_find(x, y->world[i]) == MPI_UNDEFINED)
            append(&result, y->world[i]);
    return add(&result, made, site);
}

HD_FACE int hd_MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made)
{
    return combine(a, b, 1, 1, 1, made, "MPI_Group_union");
}

HD_FACE int hd_MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made)
{
    return combine(a, b, 1, 0, 0, made, "MPI_Group_intersection");
}

HD_FACE int hd_MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made)
{
    return combine(a, b, 0, 1, 0, made, "MPI_Group_difference");
}

HD_FACE int hd_MPI_Group_free(MPI_Group *group)
{
    const hd_site *site = hd_mpi_begin("MPI_Group_free");
    hd_access_range(group, sizeof *group, site, 1);
    if (!hd_mpi_group_of(*group))
        return not_a_group(site);
    if (*group != MPI_GROUP_EMPTY)
        hd_mpi_rank_now()->groups[*group - MPI_GROUP_EMPTY - 1].used = 0;
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
