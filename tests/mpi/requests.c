// Calls that go on while their rank does something else.
#include "case.h"

RIGHT(isend_irecv, 2, 2)
{
    MPI_Request q[2];
    int a = rank, b = -1;
    MPI_Irecv(&b, 1, INT, !rank, 0, WORLD, &q[0]);
    MPI_Isend(&a, 1, INT, !rank, 0, WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    assert(b == !rank && q[0] == MPI_REQUEST_NULL);
}

RIGHT(issend_then_receive, 2, 2)
{
    MPI_Request q;
    int a = rank;
    MPI_Issend(&a, 1, INT, !rank, 0, WORLD, &q);
    assert(get(!rank, 0) == !rank);
    MPI_Wait(&q, IGNORE);
}

RIGHT(later_receive_waits_first, 2, 2)
{
    MPI_Request q[2];
    int a[2];
    if (rank) {
        put(0, 0, 0);
        put(1, 0, 0);
    } else {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 1, 0, WORLD, &q[1]);
        MPI_Wait(&q[1], IGNORE);
        MPI_Wait(&q[0], IGNORE);
        assert(a[0] == 0 && a[1] == 1);
    }
}

RIGHT(one_takes_it_the_other_goes_on, 2, 1, --mpi-buffer=eager)
{
    MPI_Request q[3];
    int a[3] = { -1, -1, -1 };
    if (rank) {
        put(0, 0, 0);
        put(1, 0, 1);
        get(0, 9);
        put(2, 0, 0);
    } else {
        MPI_Irecv(&a[0], 1, INT, 1, MPI_ANY_TAG, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 1, 0, WORLD, &q[1]);
        MPI_Irecv(&a[2], 1, INT, 1, MPI_ANY_TAG, WORLD, &q[2]);
        MPI_Wait(&q[2], IGNORE);
        put(0, 1, 9);
        MPI_Wait(&q[1], IGNORE);
        MPI_Wait(&q[0], IGNORE);
        assert(a[0] == 0 && a[1] == 2 && a[2] == 1);
    }
}

WRONG(buffer_changed_too_early, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    int a = 1;
    if (rank) {
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q);
        a = 2;
        MPI_Wait(&q, IGNORE);
    } else
        get(1, 0);
}

WRONG(buffer_read_too_early, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    int a = 1;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        if (a == 5)
            a = 6;
        MPI_Wait(&q, IGNORE);
    }
}

WRONG(two_receives_into_one_buffer, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q[2];
    int a;
    if (rank) {
        put(0, 0, 0);
        put(1, 0, 0);
    } else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
}

RIGHT(two_sends_from_one_buffer, 2, 2)
{
    MPI_Request q[2];
    int a = 4;
    if (rank) {
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q[0]);
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    } else {
        get(1, 0);
        get(1, 0);
    }
}

WRONG(never_waited_for, 2, leak, "neither waited for nor freed")
{
    MPI_Request q;
    int a = 1;
    if (rank)
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q);
    else
        get(1, 0);
}

WRONG(receive_never_comes, 2, deadlock, "blocked forever")
{
    MPI_Request q;
    int a;
    if (!rank) {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        MPI_Wait(&q, IGNORE);
    }
}

WRONG(request_is_no_request, 1, message, "invalid request")
{
    MPI_Request q = (MPI_Request)77;
    MPI_Wait(&q, IGNORE);
}

RIGHT(null_request_is_done, 1, 1, --mpi-buffer=eager)
{
    MPI_Request q = MPI_REQUEST_NULL;
    int flag = 0;
    MPI_Wait(&q, IGNORE);
    MPI_Test(&q, &flag, IGNORE);
    assert(flag);
}

RIGHT(test_until_done, 2, 3, --mpi-buffer=eager)
{
    MPI_Request q;
    int a, done = 0;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        while (!done)
            MPI_Test(&q, &done, IGNORE);
        assert(a == 1);
    }
}

RIGHT(iprobe_until_there, 2, 3, --mpi-buffer=eager)
{
    int there = 0;
    if (rank)
        put(1, 0, 0);
    else {
        while (!there)
            MPI_Iprobe(1, 0, WORLD, &there, IGNORE);
        assert(get(1, 0) == 1);
    }
}

RIGHT(waitany_takes_either, 3, 2, --mpi-buffer=eager)
{
    MPI_Request q[2];
    int a[2], i;
    if (rank)
        put(rank, 0, 0);
    else {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 2, 0, WORLD, &q[1]);
        for (int k = 0; k < 2; k++) {
            MPI_Waitany(2, q, &i, IGNORE);
            assert(a[i] == i + 1);
        }
        MPI_Waitany(2, q, &i, IGNORE);
        assert(i == MPI_UNDEFINED);
    }
}

WRONG(waitany_relies_on_the_first, 3, assertion, "i == 0", --mpi-buffer=eager)
{
    MPI_Request q[2];
    int a[2], i;
    if (rank)
        put(rank, 0, 0);
    else {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 2, 0, WORLD, &q[1]);
        MPI_Waitany(2, q, &i, IGNORE);
        int first = i;
        MPI_Waitany(2, q, &i, IGNORE);
        i = first;
        assert(i == 0);
    }
}

RIGHT(waitany_of_one_that_comes, 2, 1, --mpi-buffer=eager)
{
    MPI_Request q[2];
    int a[2], i;
    if (rank) {
        put(1, 0, 1);
        get(0, 2);
        put(1, 0, 0);
    } else {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 1, 1, WORLD, &q[1]);
        MPI_Waitany(2, q, &i, IGNORE);
        assert(i == 1);
        put(1, 1, 2);
        MPI_Wait(&q[0], IGNORE);
    }
}

WRONG(waitany_of_none, 2, deadlock, "blocked forever")
{
    MPI_Request q[2];
    int a[2], i;
    if (!rank) {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Irecv(&a[1], 1, INT, 1, 1, WORLD, &q[1]);
        MPI_Waitany(2, q, &i, IGNORE);
    }
}

RIGHT(persistent, 2, 2)
{
    MPI_Request q[2];
    int a, b;
    MPI_Send_init(&a, 1, INT, !rank, 0, WORLD, &q[0]);
    MPI_Recv_init(&b, 1, INT, !rank, 0, WORLD, &q[1]);
    for (int i = 0; i < 2; i++) {
        a = i;
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        assert(b == i);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

WRONG(persistent_never_started, 2, deadlock, "blocked forever")
{
    MPI_Request q;
    int a = 1;
    if (rank) {
        MPI_Send_init(&a, 1, INT, 0, 0, WORLD, &q);
        MPI_Wait(&q, IGNORE);
        MPI_Request_free(&q);
    } else
        get(1, 0);
}

WRONG(persistent_started_twice, 2, message, "active already", --mpi-buffer=zero)
{
    MPI_Request q;
    int a;
    MPI_Recv_init(&a, 1, INT, !rank, 0, WORLD, &q);
    MPI_Start(&q);
    MPI_Start(&q);
}

WRONG(persistent_never_freed, 2, leak, "neither waited for nor freed")
{
    MPI_Request q;
    int a = 1;
    if (rank) {
        MPI_Send_init(&a, 1, INT, 0, 0, WORLD, &q);
        MPI_Start(&q);
        MPI_Wait(&q, IGNORE);
    } else
        get(1, 0);
}

WRONG(start_of_another, 2, message, "not a persistent request", --mpi-buffer=zero)
{
    MPI_Request q;
    int a;
    MPI_Irecv(&a, 1, INT, !rank, 0, WORLD, &q);
    MPI_Start(&q);
}

RIGHT(cancelled_receive, 2, 2)
{
    MPI_Request q;
    MPI_Status s;
    int a = -1, cancelled;
    if (!rank) {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, &s);
        MPI_Test_cancelled(&s, &cancelled);
        assert(cancelled && a == -1);
    }
}

RIGHT(cancelled_send, 2, 1, --mpi-buffer=eager)
{
    MPI_Request q;
    int *a = malloc(sizeof *a);
    *a = rank;
    MPI_Isend(a, 1, INT, !rank, 0, WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, IGNORE);
    free(a);
}

RIGHT(cancelled_send_that_is_freed, 2, 4)
{
    MPI_Request q;
    int a = 1;
    if (rank) {
        MPI_Issend(&a, 1, INT, 0, 0, WORLD, &q);
        MPI_Cancel(&q);
        MPI_Request_free(&q);
    }
}

RIGHT(cancelled_or_not, 2, 5, --mpi-buffer=eager)
{
    MPI_Request q;
    MPI_Status s;
    int a = -1, cancelled;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, &s);
        MPI_Test_cancelled(&s, &cancelled);
        if (cancelled)
            a = get(1, 0);
        assert(a == 1);
    }
}

WRONG(cancelled_and_message_left, 2, message, "is never received", --mpi-buffer=eager)
{
    MPI_Request q;
    int a;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        MPI_Cancel(&q);
        MPI_Wait(&q, IGNORE);
    }
}

RIGHT(freed_send, 2, 6)
{
    MPI_Request q;
    static int a = 1;
    if (rank) {
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q);
        MPI_Request_free(&q);
    } else
        get(1, 0);
    MPI_Barrier(WORLD);
}

WRONG(freed_receive_is_used, 2, data-race, "data race", --mpi-buffer=eager)
{
    MPI_Request q;
    static int a;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&a, 1, INT, 1, 0, WORLD, &q);
        MPI_Request_free(&q);
        a = 3;
    }
    MPI_Barrier(WORLD);
}

RIGHT(testall_and_waitsome, 3, 2, --mpi-buffer=zero)
{
    MPI_Request q[2];
    int a[2], n, at[2], left = 2;
    if (rank)
        put(rank, 0, 0);
    else {
        MPI_Irecv(&a[0], 1, INT, 1, 0, WORLD, &q[0]);
        MPI_Wait(&q[0], IGNORE);
        MPI_Irecv(&a[1], 1, INT, 2, 0, WORLD, &q[1]);
        MPI_Waitsome(2, q, &n, at, MPI_STATUSES_IGNORE);
        assert(n == 1 && at[0] == 1 && a[1] == 2);
        MPI_Testall(2, q, &n, MPI_STATUSES_IGNORE);
        assert(n);
    }
}

WRONG(wait_for_a_wrong_type, 2, message, "datatype does not match")
{
    MPI_Request q;
    double d;
    if (rank)
        put(1, 0, 0);
    else {
        MPI_Irecv(&d, 1, MPI_DOUBLE, 1, 0, WORLD, &q);
        MPI_Wait(&q, IGNORE);
    }
}

RIGHT(isend_to_itself, 1, 2)
{
    MPI_Request q;
    int a = 2;
    MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q);
    assert(get(0, 0) == 2);
    MPI_Wait(&q, IGNORE);
}

WRONG(waits_before_the_receive, 2, deadlock, "depends on buffering")
{
    MPI_Request q;
    int a = 2;
    MPI_Isend(&a, 1, INT, !rank, 0, WORLD, &q);
    MPI_Wait(&q, IGNORE);
    get(!rank, 0);
}

WRONG(freed_and_waited_for, 2, message, "invalid request", --mpi-buffer=eager)
{
    MPI_Request q, same;
    int a = 2;
    if (rank) {
        MPI_Isend(&a, 1, INT, 0, 0, WORLD, &q);
        same = q;
        MPI_Request_free(&q);
        MPI_Wait(&same, IGNORE);
    } else
        get(1, 0);
}
