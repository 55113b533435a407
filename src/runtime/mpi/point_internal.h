/* What calls that end at once (point.c) and requests (requests.c) have in common. */
#ifndef HD_RUNTIME_MPI_POINT_INTERNAL_H
#define HD_RUNTIME_MPI_POINT_INTERNAL_H

#include "runtime/mpi/mpi_internal.h"

/* Are the arguments valid? Returns MPI_SUCCESS or an error. */
int hd_mpi_check(hd_mpi_comm *c, hd_mpi_type *t, int count, int peer, int tag, int receives, const hd_site *site);

/* NULL is no buffer, except for types with addresses of their own. */
int hd_mpi_check_buffer(hd_mpi_comm *c, const void *buffer, size_t count, const hd_mpi_type *t, const hd_site *site);

/* Sends a copy of the buffer. */
hd_mpi_message *hd_mpi_send_buffer(const hd_mpi_comm *c, const void *buffer, int count, const hd_mpi_type *t, int to,
    int tag, int mode, const hd_site *site);

/* Copies the message to the buffer, if it fits. */
int hd_mpi_receive_into(hd_mpi_comm *c, const hd_mpi_message *m, void *buffer, int count, const hd_mpi_type *t,
    MPI_Status *status, const hd_site *site);

MPI_Status hd_mpi_empty_status(int source);
MPI_Status hd_mpi_status_of(const hd_mpi_comm *c, const hd_mpi_message *m);
void hd_mpi_tell_status(MPI_Status *to, const MPI_Status *status, const hd_site *site);

#endif
