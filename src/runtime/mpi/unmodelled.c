/* Functions of MPI that are not modelled. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"

#define UNMODELLED_MPI(name) \
    HD_FACE int hd_##name(void) \
    { \
        hd_end(HD_MODEL_LIMIT, hd_call_site, #name " is not modelled"); \
    }
#include "abi/mpi_unmodelled.def"
