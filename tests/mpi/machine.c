/* Runs a random MPI program (programs.py): its argument has the operations of each rank, separated by '/'. An operation is a
 * letter and digits; 9 is any source or any tag.
 *
 *     sDTP   send to D with tag T a value of parity P         yDTP   the same with MPI_Ssend
 *     rST    receive from S with tag T                        iST    the same with MPI_Irecv
 *     wK     wait for the receive that was begun as the K-th  oK     leave out the next operation, unless value K is odd */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static int got[MOST];
static MPI_Request requests[MOST];
static int count; /* of receives */

static int digit(const char *op, int i)
{
    return op[i] - '0';
}

static void send(const char *op, int rank, int at)
{
    int value = 2 * (100 * rank + at) + digit(op, 3);
    (*op == 's' ? MPI_Send : MPI_Ssend)(&value, 1, MPI_INT, digit(op, 1), digit(op, 2), MPI_COMM_WORLD);
}

static void receive(const char *op)
{
    int source = digit(op, 1) == 9 ? MPI_ANY_SOURCE : digit(op, 1), tag = digit(op, 2) == 9 ? MPI_ANY_TAG : digit(op, 2);
    requests[count] = MPI_REQUEST_NULL;
    if (*op == 'r')
        MPI_Recv(&got[count], 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Irecv(&got[count], 1, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[count]);
    count++;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *op = argv[1];
    for (int r = 0; r < rank; r++)
        op = strchr(op, '/') + 1;
    for (int at = 0; *op && *op != '/'; at++, op += strcspn(op, ",/"), op += *op == ',') {
        if (*op == 's' || *op == 'y')
            send(op, rank, at);
        else if (*op == 'r' || *op == 'i')
            receive(op);
        else if (*op == 'w')
            MPI_Wait(&requests[digit(op, 1)], MPI_STATUS_IGNORE);
        else if (got[digit(op, 1)] % 2 == 0) {
            op = strchr(op, ',') + 1;
            at++;
        }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
