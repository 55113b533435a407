// Receives from any source: every matching is one execution.
#include "case.h"

/* `n` receives from any source. */
static int sum_of(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 10 + get(ANY, 0);
    return sum;
}

RIGHT(one_sender, 2, 2)
{
    if (rank)
        put(1, 0, 0);
    else
        assert(sum_of(1) == 1);
}

RIGHT(two_senders, 3, 4)
{
    if (rank)
        put(rank, 0, 0);
    else {
        int s = sum_of(2);
        assert(s == 12 || s == 21);
    }
}

RIGHT(three_senders, 4, 6, --mpi-buffer=eager)
{
    if (rank)
        put(rank, 0, 0);
    else
        sum_of(3);
}

RIGHT(four_senders, 5, 24, --mpi-buffer=zero)
{
    if (rank)
        put(rank, 0, 0);
    else
        sum_of(4);
}

RIGHT(two_messages_each, 3, 6, --mpi-buffer=eager)
{
    if (rank) {
        put(rank, 0, 0);
        put(rank, 0, 0);
    } else
        sum_of(4);
}

RIGHT(in_a_ring, 4, 2)
{
    if (rank)
        get(ANY, 0);
    put(rank, (rank + 1) % 4, 0);
    if (!rank)
        assert(get(ANY, 0) == 3);
}

RIGHT(two_receivers, 4, 4, --mpi-buffer=eager)
{
    if (rank >= 2) {
        put(rank, 0, 0);
        put(rank, 1, 0);
    } else
        sum_of(2);
}

RIGHT(a_message_because_of_another, 3, 1, --mpi-buffer=eager)
{
    if (rank == 1) {
        put(1, 0, 0);
        get(0, 0);
        put(1, 2, 0);
    } else if (rank == 2) {
        get(1, 0);
        put(2, 0, 0);
    } else {
        assert(get(ANY, 0) == 1);
        put(0, 1, 0);
        assert(get(ANY, 0) == 2);
    }
}

RIGHT(a_message_that_overtakes, 3, 2, --mpi-buffer=eager)
{
    if (rank == 1) {
        put(1, 0, 0);
        put(1, 2, 0);
    } else if (rank == 2) {
        get(1, 0);
        put(2, 0, 0);
    } else
        sum_of(2);
}

RIGHT(no_overtaking_without_buffer, 3, 1, --mpi-buffer=zero)
{
    if (rank == 1) {
        put(1, 0, 0);
        put(1, 2, 0);
    } else if (rank == 2) {
        get(1, 0);
        put(2, 0, 0);
    } else
        assert(sum_of(2) == 12);
}

RIGHT(tags_select, 3, 2)
{
    if (rank)
        put(rank, 0, rank);
    else {
        assert(get(ANY, 2) == 2);
        assert(get(ANY, 1) == 1);
    }
}

RIGHT(any_tag_and_source, 3, 4)
{
    MPI_Status s;
    int a;
    if (rank)
        put(rank, 0, rank);
    else
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&a, 1, INT, ANY, MPI_ANY_TAG, WORLD, &s);
            assert(a == s.MPI_SOURCE && a == s.MPI_TAG);
        }
}

RIGHT(answers_depend_on_it, 3, 2, --mpi-buffer=eager)
{
    MPI_Status s;
    int a;
    if (rank) {
        put(rank, 0, 0);
        get(0, 1);
    } else
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&a, 1, INT, ANY, 0, WORLD, &s);
            put(i, s.MPI_SOURCE, 1);
        }
}

WRONG(relies_on_the_first, 3, assertion, "first == 1")
{
    if (rank)
        put(rank, 0, 0);
    else {
        int first = get(ANY, 0);
        get(ANY, 0);
        assert(first == 1);
    }
}

WRONG(takes_what_the_next_waits_for, 3, deadlock, "blocked forever", --mpi-buffer=eager)
{
    if (rank)
        put(rank, 0, 0);
    else {
        get(ANY, 0);
        get(1, 0);
    }
}

WRONG(one_too_many, 3, deadlock, "blocked forever")
{
    if (rank)
        put(rank, 0, 0);
    else
        sum_of(3);
}

WRONG(nobody_sends, 2, deadlock, "blocked forever")
{
    if (!rank)
        get(ANY, 0);
}

WRONG(two_wait_for_each_other, 2, deadlock, "blocked forever")
{
    get(ANY, 0);
    put(1, !rank, 0);
}

WRONG(an_order_that_deadlocks, 3, deadlock, "blocked forever", --mpi-buffer=eager)
{
    if (rank == 2) {
        put(2, 0, 0);
        return;
    }
    if (rank == 1) {
        put(1, 0, 0);
        get(0, 1);
        return;
    }
    if (get(ANY, 0) == 2)
        get(2, 5);
    else
        get(2, 0);
    put(0, 1, 1);
}

RIGHT(posted_both, 3, 2, --mpi-buffer=eager)
{
    MPI_Request q[2];
    int a[2];
    if (rank)
        put(rank, 0, 0);
    else {
        MPI_Irecv(&a[0], 1, INT, ANY, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, ANY, 0, WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        assert(a[0] + a[1] == 3);
    }
}

RIGHT(posted_before_a_given_one, 3, 1, --mpi-buffer=eager)
{
    MPI_Request q;
    int a;
    if (rank == 2)
        put(2, 0, 1);
    if (rank == 1)
        put(1, 0, 0);
    if (!rank) {
        MPI_Irecv(&a, 1, INT, ANY, 0, WORLD, &q);
        assert(get(2, 1) == 2);
        MPI_Wait(&q, IGNORE);
        assert(a == 1);
    }
}

RIGHT(probe_any, 3, 4)
{
    MPI_Status s;
    if (rank)
        put(rank, 0, 0);
    else
        for (int i = 0; i < 2; i++) {
            MPI_Probe(ANY, 0, WORLD, &s);
            assert(get(s.MPI_SOURCE, 0) == s.MPI_SOURCE);
        }
}

RIGHT(in_another_communicator, 3, 4)
{
    MPI_Comm c;
    int a = rank;
    MPI_Comm_dup(WORLD, &c);
    if (rank)
        MPI_Send(&a, 1, INT, 0, 0, c);
    for (int i = 1; i < size && !rank; i++)
        MPI_Recv(&a, 1, INT, ANY, 0, c, IGNORE);
    MPI_Comm_free(&c);
}

WRONG(any_then_barrier, 3, deadlock, "depends on buffering")
{
    if (rank)
        put(rank, 0, 0);
    else
        get(ANY, 0);
    MPI_Barrier(WORLD);
    if (!rank)
        get(ANY, 0);
}
