/* MPI for programs that heddle tests: what `heddle mpicc` compiles with.
 *
 * The part of MPI-3 that heddle models (docs/mpi.md). Functions that it does not model are declared
 * without their arguments: an execution that calls one ends there and names it.
 */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef intptr_t MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;
typedef int MPI_Fint;
typedef int MPI_Win;
typedef int MPI_File;
typedef int MPI_Message;

typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int heddle_cancelled;
    size_t heddle_bytes;
    uint64_t heddle_pattern; /* of its basic types, … */
    size_t heddle_elements; /* … and how many of them */
} MPI_Status;

typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);

#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_IN_PLACE ((void *)1)
#define MPI_BOTTOM ((void *)0)

#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_GROUP_NULL 0
#define MPI_GROUP_EMPTY 1
#define MPI_REQUEST_NULL 0
#define MPI_INFO_NULL 0
#define MPI_OP_NULL 0
#define MPI_DATATYPE_NULL 0
#define MPI_ERRHANDLER_NULL 0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN 2

/* Numbers that no program has by mistake. */
#define MPI_PROC_NULL (-1001)
#define MPI_ANY_SOURCE (-1002)
#define MPI_ANY_TAG (-1003)
#define MPI_ROOT (-1004)
#define MPI_UNDEFINED (-32766)
#define MPI_TAG_UB 1
#define MPI_BSEND_OVERHEAD 64
#define MPI_MAX_PROCESSOR_NAME 64
#define MPI_MAX_ERROR_STRING 128
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_LIBRARY_VERSION_STRING 64
#define MPI_MAX_PORT_NAME 64
#define MPI_MAX_INFO_KEY 64
#define MPI_MAX_INFO_VAL 64
#define MPI_COMM_TYPE_SHARED 1

/* of calls that are not modelled */
#define MPI_WIN_NULL 0
#define MPI_FILE_NULL 0
#define MPI_MESSAGE_NULL 0
#define MPI_LOCK_EXCLUSIVE 1
#define MPI_LOCK_SHARED 2
#define MPI_MODE_NOCHECK 1
#define MPI_MODE_NOSTORE 2
#define MPI_MODE_NOPUT 4
#define MPI_MODE_NOPRECEDE 8
#define MPI_MODE_NOSUCCEED 16
#define MPI_MODE_RDONLY 1
#define MPI_MODE_WRONLY 2
#define MPI_MODE_RDWR 4
#define MPI_MODE_CREATE 8
#define MPI_MODE_EXCL 16
#define MPI_MODE_DELETE_ON_CLOSE 32
#define MPI_MODE_APPEND 64
#define MPI_SEEK_SET 0
#define MPI_SEEK_CUR 1
#define MPI_SEEK_END 2
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_DISPLACEMENT_CURRENT (-1)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_WIN_BASE 1
#define MPI_WIN_SIZE 2
#define MPI_WIN_DISP_UNIT 3
#define MPI_WIN_NULL_COPY_FN 0
#define MPI_WIN_NULL_DELETE_FN 0
#define MPI_UNIVERSE_SIZE 2
#define MPI_ORDER_C 0
#define MPI_ORDER_FORTRAN 1

enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };

/* Basic types: one row each, name and C type; abi of the runtime's table of types. */
enum {
    MPI_CHAR = 1,
    MPI_SIGNED_CHAR,
    MPI_UNSIGNED_CHAR,
    MPI_BYTE,
    MPI_SHORT,
    MPI_UNSIGNED_SHORT,
    MPI_INT,
    MPI_UNSIGNED,
    MPI_LONG,
    MPI_UNSIGNED_LONG,
    MPI_LONG_LONG_INT,
    MPI_UNSIGNED_LONG_LONG,
    MPI_FLOAT,
    MPI_DOUBLE,
    MPI_LONG_DOUBLE,
    MPI_C_BOOL,
    MPI_INT8_T,
    MPI_INT16_T,
    MPI_INT32_T,
    MPI_INT64_T,
    MPI_UINT8_T,
    MPI_UINT16_T,
    MPI_UINT32_T,
    MPI_UINT64_T,
    MPI_AINT,
    MPI_PACKED,
    MPI_2INT,
    MPI_FLOAT_INT,
    MPI_DOUBLE_INT,
    MPI_LONG_INT,
    MPI_SHORT_INT,
    HEDDLE_MPI_BASIC_TYPES
};
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_WCHAR MPI_INT

enum {
    MPI_MAX = 1,
    MPI_MIN,
    MPI_SUM,
    MPI_PROD,
    MPI_LAND,
    MPI_BAND,
    MPI_LOR,
    MPI_BOR,
    MPI_LXOR,
    MPI_BXOR,
    MPI_MAXLOC,
    MPI_MINLOC,
    MPI_REPLACE,
    MPI_NO_OP,
    HEDDLE_MPI_BASIC_OPS
};

enum {
    MPI_SUCCESS,
    MPI_ERR_BUFFER,
    MPI_ERR_COUNT,
    MPI_ERR_TYPE,
    MPI_ERR_TAG,
    MPI_ERR_COMM,
    MPI_ERR_RANK,
    MPI_ERR_REQUEST,
    MPI_ERR_ROOT,
    MPI_ERR_GROUP,
    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,
    MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,
    MPI_ERR_INTERN,
    MPI_ERR_IN_STATUS,
    MPI_ERR_PENDING,
    MPI_ERR_LASTCODE
};

/* start and end */
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Query_thread(int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Get_version(int *version, int *subversion);
int MPI_Error_class(int code, int *class_);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);

/* communicators */
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result);

/* groups and grids of ranks */
int MPI_Comm_group(MPI_Comm comm, MPI_Group *made);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_compare(MPI_Group a, MPI_Group b, int *result);
int MPI_Group_translate_ranks(MPI_Group a, int count, const int *ranks, MPI_Group b, int *translated);
int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_free(MPI_Group *group);
int MPI_Cart_create(
    MPI_Comm comm, int dimensions, const int *extents, const int *periodic, int reorder, MPI_Comm *made);
int MPI_Cartdim_get(MPI_Comm comm, int *dimensions);
int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *place);
int MPI_Cart_get(MPI_Comm comm, int most, int *extents, int *periodic, int *place);
int MPI_Cart_rank(MPI_Comm comm, const int *place, int *rank);
int MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *from, int *to);
int MPI_Dims_create(int nodes, int dimensions, int *extents);

/* messages */
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *received,
    int received_count, MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sent_tag, int from, int received_tag,
    MPI_Comm comm, MPI_Status *status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Buffer_detach(void *buffer_address, int *size);

/* requests */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(
    const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ssend_init(
    const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Bsend_init(
    const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Rsend_init(
    const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Cancel(MPI_Request *request);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);
int MPI_Request_free(MPI_Request *request);

/* collective calls */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    int root, MPI_Comm comm);
int MPI_Gatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, int root, MPI_Comm comm);
int MPI_Scatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    int root, MPI_Comm comm);
int MPI_Scatterv(const void *in, const int *in_counts, const int *offsets, MPI_Datatype in_type, void *out,
    int out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
int MPI_Allgather(
    const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Allgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Alltoall(
    const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Ireduce(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iallreduce(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Iscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Igather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iallgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
    MPI_Comm comm, MPI_Request *request);
int MPI_Iexscan(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Igatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatterv(const void *in, const int *in_counts, const int *offsets, MPI_Datatype in_type, void *out,
    int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iallgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *out_counts,
    const int *offsets, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Alltoallv(const void *in, const int *in_counts, const int *in_offsets, MPI_Datatype in_type, void *out,
    const int *out_counts, const int *out_offsets, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ialltoallv(const void *in, const int *in_counts, const int *in_offsets, MPI_Datatype in_type, void *out,
    const int *out_counts, const int *out_offsets, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Ireduce_scatter(
    const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Ireduce_scatter_block(
    const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);

/* types */
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_indexed(int count, const int *lengths, const int *offsets, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_create_struct(
    int count, const int *lengths, const MPI_Aint *offsets, const MPI_Datatype *types, MPI_Datatype *made);
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made);
int MPI_Type_struct(int count, int *lengths, MPI_Aint *offsets, MPI_Datatype *types, MPI_Datatype *made);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Type_size(MPI_Datatype type, int *size);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int MPI_Get_address(const void *location, MPI_Aint *address);
int MPI_Address(void *location, MPI_Aint *address);
static inline MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint offset)
{
    return base + offset;
}
static inline MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b)
{
    return a - b;
}

/* not modelled: … */
#ifndef __cplusplus
/* … one-sided communication */
int MPI_Win_create(), MPI_Win_allocate(), MPI_Win_allocate_shared(), MPI_Win_shared_query(), MPI_Win_create_dynamic(),
    MPI_Win_attach(), MPI_Win_detach(), MPI_Win_free(), MPI_Win_fence(), MPI_Win_lock(), MPI_Win_unlock(),
    MPI_Win_lock_all(), MPI_Win_unlock_all(), MPI_Win_flush(), MPI_Win_flush_all(), MPI_Win_flush_local(),
    MPI_Win_flush_local_all(), MPI_Win_sync(), MPI_Win_start(), MPI_Win_complete(), MPI_Win_post(), MPI_Win_wait(),
    MPI_Win_test(), MPI_Win_get_group(), MPI_Win_get_attr(), MPI_Win_set_attr(), MPI_Win_set_name(), MPI_Win_get_name(),
    MPI_Win_set_info(), MPI_Win_get_info(), MPI_Win_set_errhandler(), MPI_Put(), MPI_Get(), MPI_Accumulate(),
    MPI_Get_accumulate(), MPI_Fetch_and_op(), MPI_Compare_and_swap(), MPI_Rput(), MPI_Rget(), MPI_Raccumulate(),
    MPI_Rget_accumulate();
/* … files */
int MPI_File_open(), MPI_File_close(), MPI_File_delete(), MPI_File_set_size(), MPI_File_get_size(), MPI_File_set_view(),
    MPI_File_get_view(), MPI_File_read(), MPI_File_read_all(), MPI_File_read_at(), MPI_File_read_at_all(),
    MPI_File_read_shared(), MPI_File_read_ordered(), MPI_File_write(), MPI_File_write_all(), MPI_File_write_at(),
    MPI_File_write_at_all(), MPI_File_write_shared(), MPI_File_write_ordered(), MPI_File_iread(), MPI_File_iread_at(),
    MPI_File_iwrite(), MPI_File_iwrite_at(), MPI_File_seek(), MPI_File_seek_shared(), MPI_File_get_position(),
    MPI_File_sync(), MPI_File_preallocate(), MPI_File_set_info(), MPI_File_get_info(), MPI_File_set_errhandler();
/* … processes */
int MPI_Comm_spawn(), MPI_Comm_spawn_multiple(), MPI_Comm_get_parent(), MPI_Comm_accept(), MPI_Comm_connect(),
    MPI_Comm_disconnect(), MPI_Comm_join(), MPI_Open_port(), MPI_Close_port(), MPI_Publish_name(), MPI_Unpublish_name(),
    MPI_Lookup_name();
/* … several groups, and other topologies */
int MPI_Intercomm_create(), MPI_Intercomm_merge(), MPI_Comm_remote_size(), MPI_Comm_remote_group(),
    MPI_Comm_create_group(), MPI_Comm_idup(), MPI_Graph_create(), MPI_Dist_graph_create(),
    MPI_Dist_graph_create_adjacent(), MPI_Cart_sub(), MPI_Neighbor_allgather(), MPI_Neighbor_allgatherv(),
    MPI_Neighbor_alltoall(), MPI_Neighbor_alltoallv(), MPI_Alltoallw(), MPI_Ialltoallw();
/* … the rest */
int MPI_Pack_external(), MPI_Unpack_external(), MPI_Pack_external_size(), MPI_Type_create_darray(),
    MPI_Type_create_subarray(), MPI_Type_match_size(), MPI_Type_dup(), MPI_Type_get_envelope(), MPI_Type_get_contents(),
    MPI_Mprobe(), MPI_Improbe(), MPI_Mrecv(), MPI_Imrecv(), MPI_Grequest_start(), MPI_Grequest_complete(),
    MPI_Status_set_cancelled(), MPI_Status_set_elements(), MPI_Comm_create_errhandler(), MPI_Comm_create_keyval(),
    MPI_Comm_free_keyval(), MPI_Comm_set_attr(), MPI_Comm_get_attr(), MPI_Comm_delete_attr(), MPI_Attr_get(),
    MPI_Pcontrol(), MPI_Info_create(), MPI_Info_set(), MPI_Info_get(), MPI_Info_dup(), MPI_Info_delete(),
    MPI_Info_free(), MPI_Info_get_nkeys(), MPI_Info_get_nthkey(), MPI_Info_get_valuelen(), MPI_Alloc_mem(),
    MPI_Free_mem(), MPI_Pack(), MPI_Unpack(), MPI_Pack_size(), MPI_Win_create_keyval(), MPI_Win_free_keyval(),
    MPI_Type_create_keyval(), MPI_Type_free_keyval(), MPI_Comm_get_name(), MPI_Comm_set_name(), MPI_Get_elements_x(),
    MPI_Neighbor_alltoallw(), MPI_Op_commutative(), MPI_Reduce_local(), MPI_Request_get_status(),
    MPI_Status_set_elements_x(), MPI_Type_create_hindexed_block(), MPI_Type_create_indexed_block(),
    MPI_Type_get_true_extent();
#endif

#ifdef __cplusplus
}
#endif

#endif
