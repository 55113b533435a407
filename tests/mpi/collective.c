// Collective calls, communicators, groups and datatypes.
#include "case.h"

RIGHT(barrier, 3, 2)
{
    MPI_Barrier(WORLD);
}

RIGHT(broadcast, 3, 2)
{
    int a = rank == 1 ? 9 : 0;
    MPI_Bcast(&a, 1, INT, 1, WORLD);
    assert(a == 9);
}

RIGHT(sums, 3, 2)
{
    int a = rank + 1, b = 0, c = 0;
    MPI_Reduce(&a, &b, 1, INT, MPI_SUM, 2, WORLD);
    MPI_Allreduce(&a, &c, 1, INT, MPI_PROD, WORLD);
    assert(c == 6 && (rank != 2 || b == 6));
}

RIGHT(scans, 3, 2)
{
    int a = rank + 1, b = 0, c = 0;
    MPI_Scan(&a, &b, 1, INT, MPI_SUM, WORLD);
    MPI_Exscan(&a, &c, 1, INT, MPI_SUM, WORLD);
    assert(b == (rank + 1) * (rank + 2) / 2 && (!rank || c == rank * (rank + 1) / 2));
}

RIGHT(gather_and_scatter, 3, 2)
{
    int a = rank, all[3] = { 0 }, mine;
    MPI_Gather(&a, 1, INT, all, 1, INT, 0, WORLD);
    MPI_Scatter(all, 1, INT, &mine, 1, INT, 0, WORLD);
    assert(mine == rank);
}

RIGHT(different_counts, 3, 2)
{
    int a[3] = { rank, rank, rank }, all[6], counts[] = { 1, 2, 3 }, at[] = { 0, 1, 3 };
    MPI_Allgatherv(a, rank + 1, INT, all, counts, at, INT, WORLD);
    assert(all[0] == 0 && all[2] == 1 && all[5] == 2);
    MPI_Scatterv(all, counts, at, INT, a, rank + 1, INT, 0, WORLD);
    assert(a[rank] == rank);
    MPI_Gatherv(a, rank + 1, INT, all, counts, at, INT, 0, WORLD);
}

RIGHT(all_to_all, 3, 2)
{
    int a[3] = { 10 * rank, 10 * rank + 1, 10 * rank + 2 }, b[3];
    MPI_Alltoall(a, 1, INT, b, 1, INT, WORLD);
    assert(b[2] == 20 + rank);
    MPI_Alltoall(MPI_IN_PLACE, 0, INT, a, 1, INT, WORLD);
    assert(a[2] == 20 + rank);
}

RIGHT(all_to_all_of_different_counts, 2, 2)
{
    int a[3] = { rank, rank, rank }, b[3], sent[] = { 1, 2 }, from[] = { 0, 1 };
    int got[] = { rank + 1, rank + 1 }, to[] = { 0, rank + 1 };
    int *room = malloc(4 * sizeof *room);
    MPI_Alltoallv(a, sent, from, INT, room, got, to, INT, WORLD);
    assert(room[0] == 0 && room[rank + 1] == 1);
    free(room);
}

RIGHT(in_place, 3, 2)
{
    int a = rank, all[3] = { -1, -1, -1 };
    all[rank] = rank;
    MPI_Allreduce(MPI_IN_PLACE, &a, 1, INT, MPI_MAX, WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, INT, all, 1, INT, WORLD);
    assert(a == 2 && all[0] == 0 && all[1] == 1 && all[2] == 2);
}

RIGHT(reduce_and_scatter, 3, 2)
{
    int a[3] = { 1, 2, 3 }, b = 0, counts[] = { 1, 1, 1 };
    MPI_Reduce_scatter_block(a, &b, 1, INT, MPI_SUM, WORLD);
    assert(b == 3 * (rank + 1));
    MPI_Reduce_scatter(a, &b, counts, INT, MPI_MAX, WORLD);
    assert(b == rank + 1);
}

RIGHT(place_of_the_largest, 3, 2)
{
    struct {
        int value, at;
    } a = { rank == 1 ? 5 : rank, rank }, b;
    MPI_Allreduce(&a, &b, 1, MPI_2INT, MPI_MAXLOC, WORLD);
    assert(b.value == 5 && b.at == 1);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

RIGHT(own_operation, 3, 2)
{
    MPI_Op op;
    int a = rank, b;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&a, &b, 1, INT, op, WORLD);
    MPI_Op_free(&op);
    assert(b == 3);
}

WRONG(operation_left, 2, leak, "an operation is never freed")
{
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
}

RIGHT(without_waiting, 2, 2)
{
    MPI_Request q[4];
    int a = rank, b, c = 7 * !rank, all[2];
    MPI_Ibarrier(WORLD, &q[0]);
    MPI_Iallreduce(&a, &b, 1, INT, MPI_SUM, WORLD, &q[1]);
    MPI_Ibcast(&c, 1, INT, 0, WORLD, &q[2]);
    MPI_Iallgather(&a, 1, INT, all, 1, INT, WORLD, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    assert(b == 1 && c == 7 && all[1] == 1);
}

RIGHT(without_waiting_different_counts, 2, 2)
{
    MPI_Request q[3];
    int a[2] = { rank, rank }, all[3], more[3], counts[] = { 1, 2 }, at[] = { 0, 1 }, mine[2];
    MPI_Igatherv(a, rank + 1, INT, all, counts, at, INT, 0, WORLD, &q[0]);
    MPI_Iallgatherv(a, rank + 1, INT, more, counts, at, INT, WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Iscatterv(more, counts, at, INT, mine, rank + 1, INT, 0, WORLD, &q[2]);
    MPI_Wait(&q[2], IGNORE);
    assert(more[2] == 1 && mine[rank] == rank);
}

WRONG(result_used_too_early, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    int a = rank, b = 0;
    MPI_Iallreduce(&a, &b, 1, INT, MPI_SUM, WORLD, &q);
    b++;
    MPI_Wait(&q, IGNORE);
}

WRONG(data_changed_too_early, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    int a = rank, all[2];
    MPI_Iallgather(&a, 1, INT, all, 1, INT, WORLD, &q);
    a++;
    MPI_Wait(&q, IGNORE);
}

WRONG(scattered_data_changed_too_early, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    int a[2] = { 0 }, b;
    MPI_Iscatter(a, 1, INT, &b, 1, INT, 0, WORLD, &q);
    a[1]++;
    MPI_Wait(&q, IGNORE);
}

WRONG(collective_never_waited_for, 2, leak, "neither waited for nor freed")
{
    MPI_Request q;
    MPI_Ibarrier(WORLD, &q);
}

WRONG(collective_freed, 2, message, "cannot be freed")
{
    MPI_Request q;
    MPI_Ibarrier(WORLD, &q);
    MPI_Request_free(&q);
}

WRONG(different_order, 2, message, "different order")
{
    int a = 0;
    if (rank)
        MPI_Barrier(WORLD);
    MPI_Bcast(&a, 1, INT, 0, WORLD);
    if (!rank)
        MPI_Barrier(WORLD);
}

WRONG(different_calls, 2, message, "different order")
{
    int a = 0, b;
    if (rank)
        MPI_Reduce(&a, &b, 1, INT, MPI_SUM, 0, WORLD);
    else
        MPI_Allreduce(&a, &b, 1, INT, MPI_SUM, WORLD);
}

WRONG(different_roots, 2, message, "another root")
{
    int a = 0;
    MPI_Bcast(&a, 1, INT, rank, WORLD);
}

WRONG(different_operations, 2, message, "another operation")
{
    int a = 0, b;
    MPI_Allreduce(&a, &b, 1, INT, rank ? MPI_SUM : MPI_MAX, WORLD);
}

WRONG(different_types, 2, message, "another datatype")
{
    double a = 0;
    MPI_Bcast(&a, 1, rank ? INT : MPI_FLOAT, 0, WORLD);
}

WRONG(different_numbers, 2, message, "another count")
{
    int a[2] = { 0 }, b[2];
    MPI_Allreduce(a, b, 1 + rank, INT, MPI_SUM, WORLD);
}

WRONG(gathered_type, 2, message, "datatype does not match")
{
    int a = 0, b[4];
    MPI_Gather(&a, 1, rank ? MPI_FLOAT : INT, b, 1, INT, 0, WORLD);
}

WRONG(gathered_count, 2, message, "bytes, and 4 are expected")
{
    int a[2] = { 0 }, b[4];
    MPI_Gather(a, 1 + rank, INT, b, 1, INT, 0, WORLD);
}

WRONG(one_is_missing, 3, message, "different order")
{
    if (rank)
        MPI_Barrier(WORLD);
}

WRONG(one_waits_for_a_message, 2, deadlock, "blocked forever")
{
    if (rank)
        MPI_Barrier(WORLD);
    else
        get(1, 0);
}

WRONG(send_across_a_barrier, 2, deadlock, "depends on buffering")
{
    if (rank)
        put(1, 0, 0);
    MPI_Barrier(WORLD);
    if (!rank)
        get(1, 0);
}

WRONG(broadcast_instead_of_barrier, 2, deadlock, "depends on buffering")
{
    int a = 0;
    if (rank) {
        get(0, 0);
        MPI_Bcast(&a, 1, INT, 0, WORLD);
    } else {
        MPI_Bcast(&a, 1, INT, 0, WORLD);
        put(1, 1, 0);
    }
}

WRONG(root_too_large, 2, message, "root 2 is not in the communicator")
{
    int a;
    MPI_Bcast(&a, 1, INT, 2, WORLD);
}

WRONG(negative_root, 2, message, "root -")
{
    int a = 0, b;
    MPI_Reduce(&a, &b, 1, INT, MPI_SUM, -1, WORLD);
}

WRONG(no_operation, 2, message, "invalid operation")
{
    int a = 0, b;
    MPI_Allreduce(&a, &b, 1, INT, MPI_OP_NULL, WORLD);
}

WRONG(operation_of_another_type, 2, message, "operation is not defined for the datatype")
{
    double a = 0, b;
    MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_BAND, WORLD);
}

WRONG(null_data, 2, message, "the buffer is NULL")
{
    int b;
    MPI_Allreduce(NULL, &b, 1, INT, MPI_SUM, WORLD);
}

WRONG(null_result, 2, message, "the buffer is NULL")
{
    int a = 0;
    MPI_Allgather(&a, 1, INT, NULL, 1, INT, WORLD);
}

WRONG(same_buffer_twice, 2, message, "one buffer is used for data and result")
{
    int a = 0;
    MPI_Allreduce(&a, &a, 1, INT, MPI_SUM, WORLD);
}

WRONG(result_too_small, 2, heap-overflow, "overflow")
{
    int a = 0, *b = malloc(sizeof *b);
    MPI_Allgather(&a, 1, INT, b, 1, INT, WORLD);
    free(b);
}

RIGHT(halves, 4, 2)
{
    MPI_Comm c;
    int r, n, a = rank, b;
    MPI_Comm_split(WORLD, rank % 2, -rank, &c);
    MPI_Comm_rank(c, &r);
    MPI_Comm_size(c, &n);
    assert(n == 2 && r == (rank < 2));
    MPI_Allreduce(&a, &b, 1, INT, MPI_SUM, c);
    assert(b == (rank % 2 ? 4 : 2));
    MPI_Comm_free(&c);
    assert(c == MPI_COMM_NULL);
}

RIGHT(some_are_in_none, 3, 2)
{
    MPI_Comm c;
    MPI_Comm_split(WORLD, rank ? 0 : MPI_UNDEFINED, 0, &c);
    assert((c == MPI_COMM_NULL) == !rank);
    if (rank)
        MPI_Comm_free(&c);
}

WRONG(communicator_left, 2, leak, "a communicator is never freed")
{
    MPI_Comm c;
    MPI_Comm_dup(WORLD, &c);
}

WRONG(communicator_freed, 2, message, "invalid communicator")
{
    MPI_Comm c, d;
    MPI_Comm_dup(WORLD, &c);
    d = c;
    MPI_Comm_free(&c);
    MPI_Barrier(d);
}

WRONG(barrier_on_another_communicator, 2, deadlock, "blocked forever")
{
    MPI_Comm c;
    MPI_Comm_dup(WORLD, &c);
    if (rank)
        MPI_Barrier(c);
    else
        get(1, 0);
    MPI_Comm_free(&c);
}

RIGHT(communicators_are_compared, 2, 2)
{
    MPI_Comm c;
    int r;
    MPI_Comm_dup(WORLD, &c);
    MPI_Comm_compare(WORLD, c, &r);
    assert(r == MPI_CONGRUENT);
    MPI_Comm_compare(MPI_COMM_SELF, c, &r);
    assert(r == MPI_UNEQUAL);
    MPI_Comm_free(&c);
}

RIGHT(groups, 4, 2)
{
    MPI_Group all, some, others, both, none;
    MPI_Comm c;
    int two[] = { 2, 0 }, n, r, to[2];
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 2, two, &some);
    MPI_Group_excl(all, 2, two, &others);
    MPI_Group_union(some, others, &both);
    MPI_Group_intersection(some, others, &none);
    MPI_Group_compare(all, both, &r);
    MPI_Group_size(none, &n);
    assert(r == MPI_SIMILAR && n == 0);
    MPI_Group_translate_ranks(some, 2, (int[]) { 0, 1 }, all, to);
    assert(to[0] == 2 && to[1] == 0);
    MPI_Group_rank(some, &r);
    assert(r == (rank == 2 ? 0 : rank == 0 ? 1 : MPI_UNDEFINED));
    MPI_Comm_create(WORLD, some, &c);
    assert((c == MPI_COMM_NULL) == (rank % 2));
    if (c != MPI_COMM_NULL) {
        MPI_Comm_rank(c, &n);
        assert(n == r);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    MPI_Group_free(&others);
    MPI_Group_free(&both);
    MPI_Group_free(&none);
}

WRONG(group_left, 2, leak, "a group is never freed")
{
    MPI_Group g;
    MPI_Comm_group(WORLD, &g);
}

WRONG(rank_of_no_group, 2, message, "rank 5 is not in the group")
{
    MPI_Group g, h;
    MPI_Comm_group(WORLD, &g);
    MPI_Group_incl(g, 1, (int[]) { 5 }, &h);
}

WRONG(no_group, 2, message, "invalid group")
{
    int n;
    MPI_Group_size(MPI_GROUP_NULL, &n);
}

RIGHT(grid, 4, 2)
{
    MPI_Comm c;
    int n[2] = { 0, 0 }, around[] = { 1, 0 }, at[2], from, to, r;
    MPI_Dims_create(4, 2, n);
    assert(n[0] == 2 && n[1] == 2);
    MPI_Cart_create(WORLD, 2, n, around, 0, &c);
    MPI_Cart_coords(c, rank, 2, at);
    MPI_Cart_rank(c, at, &r);
    assert(r == rank);
    MPI_Cart_shift(c, 0, 1, &from, &to);
    assert(to == (rank + 2) % 4 && from == to);
    MPI_Cart_shift(c, 1, 1, &from, &to);
    assert(to == (rank % 2 ? MPI_PROC_NULL : rank + 1));
    MPI_Comm_free(&c);
}

WRONG(grid_too_large, 2, message, "the grid is larger")
{
    MPI_Comm c;
    MPI_Cart_create(WORLD, 2, (int[]) { 2, 2 }, (int[]) { 0, 0 }, 0, &c);
}

WRONG(no_grid, 2, message, "has no grid")
{
    int n;
    MPI_Cartdim_get(WORLD, &n);
}

RIGHT(a_column, 2, 2)
{
    MPI_Datatype column;
    int a[3][4];
    for (int i = 0; i < 12; i++)
        a[i / 4][i % 4] = rank ? i : -1;
    MPI_Type_vector(3, 1, 4, INT, &column);
    MPI_Type_commit(&column);
    if (rank)
        MPI_Send(&a[0][1], 1, column, 0, 0, WORLD);
    else {
        MPI_Recv(&a[0][1], 1, column, 1, 0, WORLD, IGNORE);
        assert(a[2][1] == 9 && a[2][2] == -1);
    }
    MPI_Type_free(&column);
}

RIGHT(a_structure, 2, 2)
{
    struct pair {
        char c;
        double d;
    } p = { 'a', 1.5 }, r = { 0 };
    MPI_Datatype t;
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { offsetof(struct pair, c), offsetof(struct pair, d) },
        (MPI_Datatype[]) { MPI_CHAR, MPI_DOUBLE }, &t);
    MPI_Type_commit(&t);
    MPI_Sendrecv(&p, 1, t, !rank, 0, &r, 1, t, !rank, 0, WORLD, IGNORE);
    assert(r.c == 'a' && r.d == 1.5);
    MPI_Type_free(&t);
}

RIGHT(a_type_and_its_elements, 2, 2)
{
    MPI_Datatype two;
    MPI_Status s;
    int a[4] = { 1, 2, 3, 4 }, n;
    MPI_Type_contiguous(2, INT, &two);
    MPI_Type_commit(&two);
    if (rank)
        MPI_Send(a, 2, two, 0, 0, WORLD);
    else {
        MPI_Recv(a, 4, INT, 1, 0, WORLD, &s);
        MPI_Get_count(&s, two, &n);
        assert(n == 2);
        MPI_Get_elements(&s, two, &n);
        assert(n == 4);
    }
    MPI_Type_free(&two);
}

WRONG(type_not_committed, 2, message, "is not committed")
{
    MPI_Datatype two;
    int a[2] = { 0 };
    MPI_Type_contiguous(2, INT, &two);
    MPI_Send(a, 1, two, !rank, 0, WORLD);
}

WRONG(type_left, 2, leak, "a datatype is never freed")
{
    MPI_Datatype two;
    MPI_Type_contiguous(2, INT, &two);
    MPI_Type_commit(&two);
}

WRONG(type_freed, 2, message, "invalid datatype")
{
    MPI_Datatype two, old;
    int a[2] = { 0 };
    MPI_Type_contiguous(2, INT, &two);
    MPI_Type_commit(&two);
    old = two;
    MPI_Type_free(&two);
    MPI_Send(a, 1, old, !rank, 0, WORLD);
}

WRONG(structures_differ, 2, message, "datatype does not match")
{
    MPI_Datatype t;
    char room[16] = { 0 };
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 4 },
        (MPI_Datatype[]) { rank ? MPI_INT : MPI_FLOAT, MPI_INT }, &t);
    MPI_Type_commit(&t);
    if (rank)
        MPI_Send(room, 1, t, 0, 0, WORLD);
    else
        MPI_Recv(room, 1, t, 1, 0, WORLD, IGNORE);
    MPI_Type_free(&t);
}

static void *sends(void *to)
{
    put(1, 0, *(int *)to);
    return NULL;
}

THREADS_RIGHT(threads_send, 2, 1, --mpi-buffer=eager)
{
    pthread_t t;
    int tag = 1;
    if (rank) {
        pthread_create(&t, NULL, sends, &tag);
        pthread_join(t, NULL);
    } else
        assert(get(1, 1) == 1);
}

WRONG(thread_without_leave, 2, message, "called by another thread", --mpi-buffer=eager)
{
    pthread_t t;
    int tag = 1;
    if (rank) {
        pthread_create(&t, NULL, sends, &tag);
        pthread_join(t, NULL);
    } else
        get(1, 1);
}
