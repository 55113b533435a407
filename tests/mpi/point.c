// Messages between two ranks, and which receive gets which.
#include "case.h"

RIGHT(send_and_receive, 2, 2)
{
    if (rank)
        put(7, 0, 3);
    else
        assert(get(1, 3) == 7);
}

RIGHT(to_itself, 1, 1, --mpi-buffer=eager)
{
    put(5, 0, 0);
    assert(get(0, 0) == 5);
}

WRONG(to_itself_without_buffer, 1, deadlock, "depends on buffering")
{
    put(5, 0, 0);
    get(0, 0);
}

RIGHT(synchronous, 2, 2)
{
    int a = 1;
    if (rank)
        MPI_Ssend(&a, 1, INT, 0, 0, WORLD);
    else
        assert(get(1, 0) == 1);
}

WRONG(synchronous_head_on, 2, deadlock, "blocked forever", --mpi-buffer=eager)
{
    int a = 1;
    MPI_Ssend(&a, 1, INT, !rank, 0, WORLD);
    get(!rank, 0);
}

WRONG(head_on, 2, deadlock, "depends on buffering")
{
    put(1, !rank, 0);
    get(!rank, 0);
}

RIGHT(head_on_with_buffer, 2, 1, --mpi-buffer=eager)
{
    put(1, !rank, 0);
    get(!rank, 0);
}

WRONG(both_receive_first, 2, deadlock, "blocked forever")
{
    get(!rank, 0);
    put(1, !rank, 0);
}

WRONG(ring_of_sends, 3, deadlock, "depends on buffering")
{
    put(1, (rank + 1) % 3, 0);
    get((rank + 2) % 3, 0);
}

RIGHT(ring_with_an_odd_one, 3, 2)
{
    if (rank)
        assert(get(rank - 1, 0) == rank - 1);
    put(rank, (rank + 1) % 3, 0);
    if (!rank)
        assert(get(2, 0) == 2);
}

RIGHT(order_of_one_sender, 2, 2)
{
    for (int i = 0; i < 3; i++)
        if (rank)
            put(i, 0, 0);
        else
            assert(get(1, 0) == i);
}

RIGHT(tags_overtake, 2, 1, --mpi-buffer=eager)
{
    if (rank) {
        put(1, 0, 1);
        put(2, 0, 2);
    } else {
        assert(get(1, 2) == 2);
        assert(get(1, 1) == 1);
    }
}

WRONG(tags_in_other_order, 2, deadlock, "depends on buffering")
{
    if (rank) {
        put(1, 0, 1);
        put(2, 0, 2);
    } else {
        get(1, 2);
        get(1, 1);
    }
}

WRONG(other_tag, 2, deadlock, "blocked forever")
{
    if (rank)
        put(1, 0, 1);
    else
        get(1, 2);
}

WRONG(other_communicator, 2, deadlock, "blocked forever", --mpi-buffer=eager)
{
    MPI_Comm c;
    int a = 0;
    MPI_Comm_dup(WORLD, &c);
    if (rank)
        put(1, 0, 0);
    else
        MPI_Recv(&a, 1, INT, 1, 0, c, IGNORE);
    MPI_Comm_free(&c);
}

RIGHT(any_tag, 2, 2)
{
    MPI_Status s;
    int a;
    if (rank)
        put(1, 0, 9);
    else {
        MPI_Recv(&a, 1, INT, 1, MPI_ANY_TAG, WORLD, &s);
        assert(s.MPI_TAG == 9 && s.MPI_SOURCE == 1);
    }
}

RIGHT(fewer_than_room, 2, 2)
{
    int a[4] = { 0 }, n;
    MPI_Status s;
    if (rank)
        MPI_Send(a, 2, INT, 0, 0, WORLD);
    else {
        MPI_Recv(a, 4, INT, 1, 0, WORLD, &s);
        MPI_Get_count(&s, INT, &n);
        assert(n == 2);
    }
}

WRONG(truncated, 2, message, "there is room for 4")
{
    int a[2] = { 0 };
    if (rank)
        MPI_Send(a, 2, INT, 0, 0, WORLD);
    else
        MPI_Recv(a, 1, INT, 1, 0, WORLD, IGNORE);
}

WRONG(other_type, 2, message, "datatype does not match")
{
    float f = 0;
    if (rank)
        put(1, 0, 0);
    else
        MPI_Recv(&f, 1, MPI_FLOAT, 1, 0, WORLD, IGNORE);
}

RIGHT(nothing_is_a_message, 2, 2)
{
    if (rank)
        MPI_Send(NULL, 0, INT, 0, 0, WORLD);
    else
        MPI_Recv(NULL, 0, INT, 1, 0, WORLD, IGNORE);
}

WRONG(null_buffer, 2, message, "the buffer is NULL")
{
    if (rank)
        MPI_Send(NULL, 1, INT, 0, 0, WORLD);
    else
        get(1, 0);
}

WRONG(null_buffer_of_receive, 2, message, "the buffer is NULL")
{
    if (rank)
        put(1, 0, 0);
    else
        MPI_Recv(NULL, 1, INT, 1, 0, WORLD, IGNORE);
}

WRONG(too_small_block, 2, heap-overflow, "overflow")
{
    int *a = malloc(2 * sizeof *a);
    if (rank) {
        int b[3] = { 0 };
        MPI_Send(b, 3, INT, 0, 0, WORLD);
    } else
        MPI_Recv(a, 3, INT, 1, 0, WORLD, IGNORE);
    free(a);
}

WRONG(rank_too_large, 2, message, "rank 2 is not in the communicator")
{
    put(1, 2, 0);
}

WRONG(negative_rank, 2, message, "rank -1 is not in the communicator")
{
    get(-1, 0);
}

WRONG(negative_tag, 2, message, "invalid tag -1")
{
    get(!rank, -1);
}

WRONG(any_tag_of_send, 2, message, "invalid tag")
{
    put(1, !rank, MPI_ANY_TAG);
}

WRONG(negative_count, 2, message, "negative count")
{
    int a;
    MPI_Send(&a, -1, INT, !rank, 0, WORLD);
}

WRONG(no_type, 2, message, "invalid datatype")
{
    int a;
    MPI_Send(&a, 1, MPI_DATATYPE_NULL, !rank, 0, WORLD);
}

WRONG(no_communicator, 2, message, "invalid communicator")
{
    int a;
    MPI_Send(&a, 1, INT, !rank, 0, MPI_COMM_NULL);
}

WRONG(null_status, 2, crash, "")
{
    int a;
    if (rank)
        put(1, 0, 0);
    else
        MPI_Recv(&a, 1, INT, 1, 0, WORLD, NULL);
}

RIGHT(nobody, 2, 2)
{
    MPI_Status s;
    int a = 4, n;
    MPI_Send(&a, 1, INT, MPI_PROC_NULL, 0, WORLD);
    MPI_Recv(&a, 1, INT, MPI_PROC_NULL, 0, WORLD, &s);
    MPI_Get_count(&s, INT, &n);
    assert(a == 4 && s.MPI_SOURCE == MPI_PROC_NULL && n == 0);
}

WRONG(never_received, 2, message, "is never received", --mpi-buffer=eager)
{
    if (rank)
        put(1, 0, 0);
}

RIGHT(exchange, 2, 2)
{
    int a = rank, b = -1;
    MPI_Sendrecv(&a, 1, INT, !rank, 0, &b, 1, INT, !rank, 0, WORLD, IGNORE);
    assert(b == !rank);
}

RIGHT(shift, 4, 2)
{
    int a = rank;
    MPI_Sendrecv_replace(&a, 1, INT, (rank + 1) % 4, 0, (rank + 3) % 4, 0, WORLD, IGNORE);
    assert(a == (rank + 3) % 4);
}

RIGHT(buffered, 2, 2)
{
    char room[MPI_BSEND_OVERHEAD + 64], *back;
    int a = 3, n;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&a, 1, INT, !rank, 0, WORLD);
    assert(get(!rank, 0) == 3);
    MPI_Buffer_detach(&back, &n);
    assert(back == room && n == sizeof room);
}

WRONG(buffered_without_buffer, 2, message, "no buffer is attached")
{
    int a = 3;
    MPI_Bsend(&a, 1, INT, !rank, 0, WORLD);
    get(!rank, 0);
}

WRONG(buffer_too_small, 2, message, "does not fit the attached buffer")
{
    char room[MPI_BSEND_OVERHEAD + 8], *back;
    int a[4] = { 0 }, n;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(a, 4, INT, !rank, 0, WORLD);
    MPI_Recv(a, 4, INT, !rank, 0, WORLD, IGNORE);
    MPI_Buffer_detach(&back, &n);
}

WRONG(two_buffers, 1, message, "a buffer is attached already")
{
    char a[99], b[99];
    MPI_Buffer_attach(a, sizeof a);
    MPI_Buffer_attach(b, sizeof b);
}

RIGHT(ready_after_the_receive, 2, 2)
{
    int a = 1, b;
    MPI_Request q;
    if (rank) {
        MPI_Irecv(&b, 1, INT, 0, 0, WORLD, &q);
        put(0, 0, 1);
        MPI_Wait(&q, IGNORE);
    } else {
        get(1, 1);
        MPI_Rsend(&a, 1, INT, 1, 0, WORLD);
    }
}

WRONG(ready_before_the_receive, 2, message, "no receive for the message to rank 1 (tag 0) is posted")
{
    int a = 1, b;
    if (rank)
        MPI_Recv(&b, 1, INT, 0, 0, WORLD, IGNORE);
    else
        MPI_Rsend(&a, 1, INT, 1, 0, WORLD);
}

WRONG(ready_with_another_tag, 2, message, "MPI_Irsend: no receive for the message to rank 1 (tag 1) is posted")
{
    int a = 1, b, c;
    MPI_Request q;
    if (rank) {
        MPI_Irecv(&b, 1, INT, 0, 0, WORLD, &q);
        MPI_Barrier(WORLD);
        MPI_Recv(&c, 1, INT, 0, 1, WORLD, IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Irsend(&a, 1, INT, 1, 1, WORLD, &q);
        put(1, 1, 0);
    }
    MPI_Wait(&q, IGNORE);
}

WRONG(ready_for_a_receive_that_another_message_takes, 2, message, "no receive for the message", --mpi-buffer=eager)
{
    int a = 1, b;
    MPI_Request q;
    if (rank) {
        MPI_Irecv(&b, 1, INT, 0, 0, WORLD, &q);
        MPI_Barrier(WORLD);
        MPI_Wait(&q, IGNORE);
        get(0, 0);
    } else {
        MPI_Barrier(WORLD);
        put(1, 1, 0);
        MPI_Rsend(&a, 1, INT, 1, 0, WORLD);
    }
}

RIGHT(ready_for_any_source, 3, 2, --mpi-buffer=eager)
{
    int a = rank, b[2];
    MPI_Request q[2];
    if (!rank)
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&b[i], 1, INT, ANY, 0, WORLD, &q[i]);
    MPI_Barrier(WORLD);
    if (rank)
        MPI_Rsend(&a, 1, INT, 0, 0, WORLD);
    else
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}


RIGHT(probe_tells_the_count, 2, 2)
{
    MPI_Status s;
    int a[3] = { 0 }, n;
    if (rank)
        MPI_Send(a, 3, INT, 0, 5, WORLD);
    else {
        MPI_Probe(1, MPI_ANY_TAG, WORLD, &s);
        MPI_Get_count(&s, INT, &n);
        assert(n == 3 && s.MPI_TAG == 5);
        MPI_Recv(a, n, INT, 1, 5, WORLD, IGNORE);
    }
}

WRONG(probe_without_message, 2, deadlock, "blocked forever")
{
    MPI_Status s;
    if (!rank)
        MPI_Probe(1, 0, WORLD, &s);
}

RIGHT(errors_are_returned, 2, 2)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    int a, e = MPI_Send(&a, 1, INT, 99, 0, WORLD), class;
    MPI_Error_class(e, &class);
    assert(class == MPI_ERR_RANK);
}

WRONG(without_finalize, 2, message, "ends without MPI_Finalize")
{
    exit(0);
}

WRONG(after_finalize, 1, message, "is called after MPI_Finalize")
{
    MPI_Finalize();
    MPI_Barrier(WORLD);
}

WRONG(twice, 1, message, "is called twice")
{
    MPI_Init(NULL, NULL);
}

WRONG(aborted, 2, abort, "MPI_Abort with code 3")
{
    if (rank)
        MPI_Abort(WORLD, 3);
}

WRONG(one_sided, 2, model-limit, "MPI_Win_create is not modelled")
{
    MPI_Win w;
    int a;
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, WORLD, &w);
}

WRONG(files, 2, model-limit, "MPI_File_open is not modelled")
{
    MPI_File f;
    MPI_File_open(WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
}

WRONG(spawning, 2, model-limit, "MPI_Comm_spawn is not modelled")
{
    MPI_Comm c;
    MPI_Comm_spawn("p", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, WORLD, &c, MPI_ERRCODES_IGNORE);
}
