/* Communicators. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

#include <stdlib.h>
#include <string.h>

hd_mpi_comm *hd_mpi_comm_of(MPI_Comm comm)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    return comm > 0 && comm < HD_MPI_COMMS && r->comms[comm].used ? &r->comms[comm] : NULL;
}

void hd_mpi_comms_begin(void)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    uint32_t me = hd_mpi_rank_number();
    hd_mpi_comm *world = &r->comms[MPI_COMM_WORLD];
    *world = (hd_mpi_comm) { .used = 1, .size = (int)hd_mpi_ranks(), .rank = (int)me };
    for (int i = 0; i < world->size; i++)
        world->world[i] = (uint8_t)i;
    r->comms[MPI_COMM_SELF] =
        (hd_mpi_comm) { .used = 1, .context = (uint16_t)(1 + me), .size = 1, .world = { (uint8_t)me } };
}

/* A context for the next communicator that the rank makes: if several ranks make one together, the first of them
 * gives it. */
static uint16_t propose_context(const hd_site *site)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    if (r->made == HD_MPI_COMMS)
        hd_end(HD_MODEL_LIMIT, site, "more than %d communicators that a rank makes are not modelled", HD_MPI_COMMS);
    return (uint16_t)(1 + HD_MPI_RANKS + hd_mpi_rank_number() * HD_MPI_COMMS + r->made++);
}

/* What each rank brings to a split. */
typedef struct part {
    int color, key, rank;
    uint16_t context;
} part;

static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->rank - y->rank;
}

static hd_mpi_comm *add(MPI_Comm *made, const hd_site *site)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    int i = MPI_COMM_SELF + 1;
    while (i < HD_MPI_COMMS && r->comms[i].used)
        i++;
    if (i == HD_MPI_COMMS)
        hd_end(HD_MODEL_LIMIT, site, "more than %d communicators of a rank are not modelled", HD_MPI_COMMS);
    r->comms[i] = (hd_mpi_comm) { .used = 1, .made = site };
    HD_MPI_TELL(made, i);
    return &r->comms[i];
}

hd_mpi_comm *hd_mpi_split(hd_mpi_comm *c, int color, int key, MPI_Comm *made, const char *call, const hd_site *site)
{
    part *mine = hd_mpi_keep(sizeof *mine), parts[HD_MPI_RANKS];
    *mine = (part) { color, key, c->rank, propose_context(site) };
    const hd_mpi_joining joining = {
        .call = call, .data = (const uint8_t *)mine, .bytes = sizeof *mine, .root = -1, .site = site
    };
    const hd_mpi_joining *joined = hd_mpi_join(c, &joining);
    size_t count = 0;
    for (int i = 0; i < c->size; i++) {
        const part *other = (const part *)hd_mpi_await_rank(c, joined, i, 0)->data;
        if (other->color == color)
            parts[count++] = *other;
    }
    if (color == MPI_UNDEFINED) {
        HD_MPI_TELL(made, MPI_COMM_NULL);
        return NULL;
    }
    qsort(parts, count, sizeof *parts, compare_parts);
    hd_mpi_comm *to = add(made, site);
    to->size = (int)count;
    to->context = parts[0].context;
    to->returns_errors = c->returns_errors;
    for (size_t i = 0; i < count; i++) {
        to->world[i] = c->world[parts[i].rank];
        if (parts[i].rank == c->rank)
            to->rank = (int)i;
    }
    return to;
}

HD_FACE int hd_MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_split");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (color < 0 && color != MPI_UNDEFINED)
        return hd_mpi_error(c, site, MPI_ERR_ARG, "negative color %d", color);
    hd_mpi_split(c, color, key, made, "MPI_Comm_split", site);
    return MPI_SUCCESS;
}

/* All ranks are on one machine. */
HD_FACE int hd_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    (void)info;
    const hd_site *site = hd_mpi_begin("MPI_Comm_split_type");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED)
        return hd_mpi_error(c, site, MPI_ERR_ARG, "invalid type %d", type);
    hd_mpi_split(c, type == MPI_UNDEFINED ? type : 0, key, made, "MPI_Comm_split_type", site);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_dup");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    const hd_mpi_comm of = *c;
    hd_mpi_comm *to = hd_mpi_split(c, 0, 0, made, "MPI_Comm_dup", site);
    to->dimensions = of.dimensions;
    memcpy(to->extents, of.extents, sizeof to->extents);
    memcpy(to->periodic, of.periodic, sizeof to->periodic);
    return MPI_SUCCESS;
}

/* The ranks of a group make a communicator; groups of different ranks may be different if they have no rank in common:
 * so the first rank is the name of the group. */
HD_FACE int hd_MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_create");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    const hd_mpi_group *g = hd_mpi_group_of(group);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (!g)
        return hd_mpi_error(c, site, MPI_ERR_GROUP, "invalid group");
    for (int i = 0; i < g->size; i++)
        if (!memchr(c->world, g->world[i], (size_t)c->size))
            return hd_mpi_error(c, site, MPI_ERR_GROUP, "the group has a rank that is not in the communicator");
    int key = hd_mpi_group_find(g, hd_mpi_rank_number());
    int color = key == MPI_UNDEFINED ? MPI_UNDEFINED : g->world[0];
    const hd_mpi_comm *to = hd_mpi_split(c, color, key, made, "MPI_Comm_create", site);
    if (to && (to->size != g->size || memcmp(to->world, g->world, (size_t)g->size)))
        return hd_mpi_error(c, site, MPI_ERR_GROUP, "ranks of the group call it with another group");
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_free(MPI_Comm *comm)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_free");
    hd_access_range(comm, sizeof *comm, site, 1);
    hd_mpi_comm *c = hd_mpi_comm_of(*comm);
    if (!c || *comm <= MPI_COMM_SELF)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    const hd_mpi_joining joining = { .call = "MPI_Comm_free", .root = -1, .site = site };
    hd_mpi_await_all(c, hd_mpi_join(c, &joining));
    hd_mpi_compare_calls(c, site);
    c->used = 0;
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_size(MPI_Comm comm, int *size)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_size");
    const hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    HD_MPI_TELL(size, c->size);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_test_inter");
    if (!hd_mpi_comm_of(comm))
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    HD_MPI_TELL(flag, 0);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_rank");
    const hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    HD_MPI_TELL(rank, c->rank);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result)
{
    const hd_site *site = hd_mpi_begin("MPI_Comm_compare");
    const hd_mpi_comm *x = hd_mpi_comm_of(a), *y = hd_mpi_comm_of(b);
    if (!x || !y)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    int same = x->size == y->size && !memcmp(x->world, y->world, (size_t)x->size), found = 0;
    for (int i = 0; i < x->size; i++)
        found += memchr(y->world, x->world[i], (size_t)y->size) != NULL;
    int similar = x->size == y->size && found == x->size;
    HD_MPI_TELL(result, a == b ? MPI_IDENT : same ? MPI_CONGRUENT : similar ? MPI_SIMILAR : MPI_UNEQUAL);
    return MPI_SUCCESS;
}
