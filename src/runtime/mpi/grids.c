/* Communicators whose ranks form a grid (Cartesian topologies). */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

#include <string.h>

/* NULL: it is no communicator, or has no grid; `error` says which. */
static hd_mpi_comm *grid_of(MPI_Comm comm, const hd_site *site, int *error)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    *error = MPI_SUCCESS;
    if (!c)
        *error = hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    else if (!c->dimensions)
        *error = hd_mpi_error(c, site, MPI_ERR_TOPOLOGY, "the communicator has no grid");
    return *error ? NULL : c;
}

/* The last coordinate varies first. */
static void find_place(const hd_mpi_comm *c, int rank, int *place)
{
    for (int i = c->dimensions; i-- > 0;) {
        place[i] = rank % c->extents[i];
        rank /= c->extents[i];
    }
}

/* Outside of a dimension that is not periodic there is nobody. */
static int rank_at(const hd_mpi_comm *c, const int *place)
{
    int rank = 0;
    for (int i = 0; i < c->dimensions; i++) {
        int extent = c->extents[i], at = place[i];
        if (!c->periodic[i] && (at < 0 || at >= extent))
            return MPI_PROC_NULL;
        rank = rank * extent + (at % extent + extent) % extent;
    }
    return rank;
}

HD_FACE int hd_MPI_Cart_create(
    MPI_Comm comm, int dimensions, const int *extents, const int *periodic, int reorder, MPI_Comm *made)
{
    (void)reorder; /* ranks may keep their numbers */
    const hd_site *site = hd_mpi_begin("MPI_Cart_create");
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (dimensions < 1)
        return hd_mpi_error(c, site, MPI_ERR_DIMS, "%d dimensions", dimensions);
    if (dimensions > HD_MPI_DIMENSIONS)
        hd_end(HD_MODEL_LIMIT, site, "grids of more than %d dimensions are not modelled", HD_MPI_DIMENSIONS);
    hd_access_range(extents, (uint64_t)dimensions * sizeof *extents, site, 0);
    hd_access_range(periodic, (uint64_t)dimensions * sizeof *periodic, site, 0);
    int size = 1;
    for (int i = 0; i < dimensions; i++) {
        if (extents[i] <= 0)
            return hd_mpi_error(c, site, MPI_ERR_DIMS, "extent %d of dimension %d is not positive", extents[i], i);
        size = extents[i] > c->size ? c->size + 1 : size * extents[i];
    }
    if (size > c->size)
        return hd_mpi_error(c, site, MPI_ERR_DIMS, "the grid is larger than the communicator of %d ranks", c->size);
    hd_mpi_comm *to = hd_mpi_split(c, c->rank < size ? 0 : MPI_UNDEFINED, c->rank, made, "MPI_Cart_create", site);
    if (!to)
        return MPI_SUCCESS;
    to->dimensions = dimensions;
    for (int i = 0; i < dimensions; i++) {
        to->extents[i] = extents[i];
        to->periodic[i] = periodic[i] != 0;
    }
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Cartdim_get(MPI_Comm comm, int *dimensions)
{
    const hd_site *site = hd_mpi_begin("MPI_Cartdim_get");
    int error;
    const hd_mpi_comm *c = grid_of(comm, site, &error);
    if (c)
        HD_MPI_TELL(dimensions, c->dimensions);
    return error;
}

HD_FACE int hd_MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *place)
{
    const hd_site *site = hd_mpi_begin("MPI_Cart_coords");
    int error, found[HD_MPI_DIMENSIONS];
    hd_mpi_comm *c = grid_of(comm, site, &error);
    if (error)
        return error;
    if (rank < 0 || rank >= c->size)
        return hd_mpi_error(c, site, MPI_ERR_RANK, "rank %d is not in the communicator of %d ranks", rank, c->size);
    find_place(c, rank, found);
    for (int i = 0; i < most && i < c->dimensions; i++)
        HD_MPI_TELL(&place[i], found[i]);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Cart_get(MPI_Comm comm, int most, int *extents, int *periodic, int *place)
{
    const hd_site *site = hd_mpi_begin("MPI_Cart_get");
    int error, found[HD_MPI_DIMENSIONS];
    const hd_mpi_comm *c = grid_of(comm, site, &error);
    if (error)
        return error;
    find_place(c, c->rank, found);
    for (int i = 0; i < most && i < c->dimensions; i++) {
        HD_MPI_TELL(&extents[i], c->extents[i]);
        HD_MPI_TELL(&periodic[i], c->periodic[i]);
        HD_MPI_TELL(&place[i], found[i]);
    }
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Cart_rank(MPI_Comm comm, const int *place, int *rank)
{
    const hd_site *site = hd_mpi_begin("MPI_Cart_rank");
    int error;
    hd_mpi_comm *c = grid_of(comm, site, &error);
    if (error)
        return error;
    hd_access_range(place, (uint64_t)c->dimensions * sizeof *place, site, 0);
    int found = rank_at(c, place);
    if (found == MPI_PROC_NULL)
        return hd_mpi_error(c, site, MPI_ERR_ARG, "the coordinates are outside of the grid");
    HD_MPI_TELL(rank, found);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *from, int *to)
{
    const hd_site *site = hd_mpi_begin("MPI_Cart_shift");
    int error, place[HD_MPI_DIMENSIONS];
    hd_mpi_comm *c = grid_of(comm, site, &error);
    if (error)
        return error;
    if (dimension < 0 || dimension >= c->dimensions)
        return hd_mpi_error(
            c, site, MPI_ERR_DIMS, "the grid of %d dimensions has no dimension %d", c->dimensions, dimension);
    find_place(c, c->rank, place);
    place[dimension] += by;
    HD_MPI_TELL(to, rank_at(c, place));
    place[dimension] -= 2 * by;
    HD_MPI_TELL(from, rank_at(c, place));
    return MPI_SUCCESS;
}

/* The largest divisor of `nodes` whose power of this degree is not larger: an extent that leaves larger ones for the
 * other dimensions. */
static int fair_divisor(int nodes, int degree)
{
    int found = 1;
    for (int d = 2; d <= nodes; d++) {
        int power = 1;
        for (int i = 0; i < degree; i++)
            power = power > nodes ? power : power * d;
        if (power <= nodes && nodes % d == 0)
            found = d;
    }
    return found;
}

/* The extents that the program leaves open become as equal as their divisors permit, the smallest last. */
HD_FACE int hd_MPI_Dims_create(int nodes, int dimensions, int *extents)
{
    const hd_site *site = hd_mpi_begin("MPI_Dims_create");
    int open = 0;
    hd_access_range(extents, (uint64_t)dimensions * sizeof *extents, site, 1);
    for (int i = 0; i < dimensions; i++) {
        open += !extents[i];
        if (extents[i] < 0 || (extents[i] && nodes % extents[i]))
            return hd_mpi_error(NULL, site, MPI_ERR_DIMS, "%d ranks cannot be divided by %d", nodes, extents[i]);
        nodes /= extents[i] ? extents[i] : 1;
    }
    for (int i = dimensions; i-- > 0;)
        if (!extents[i]) {
            extents[i] = fair_divisor(nodes, open--);
            nodes /= extents[i];
        }
    return MPI_SUCCESS;
}
