/* The operations of reductions: those of MPI, for the types that it defines them for, and those of the program. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

#include <stdbool.h>

#define LOOP(type, expression) \
    for (size_t i = 0; i < count; i++) { \
        const type a = ((const type *)in)[i]; \
        type *const to = &((type *)inout)[i], b = *to; \
        *to = (type)(expression); \
    } \
    return 1

#define ARITHMETIC(type) \
    case MPI_MAX: \
        LOOP(type, a > b ? a : b); \
    case MPI_MIN: \
        LOOP(type, a < b ? a : b); \
    case MPI_SUM: \
        LOOP(type, a + b); \
    case MPI_PROD: \
        LOOP(type, a *b)

#define LOGICAL(type) \
    case MPI_LAND: \
        LOOP(type, a &&b); \
    case MPI_LOR: \
        LOOP(type, a || b); \
    case MPI_LXOR: \
        LOOP(type, !a != !b)

#define BITWISE(type) \
    case MPI_BAND: \
        LOOP(type, a &b); \
    case MPI_BOR: \
        LOOP(type, a | b); \
    case MPI_BXOR: \
        LOOP(type, a ^ b)

#define LOCATED(type) \
    case MPI_MAXLOC: \
    case MPI_MINLOC: \
        for (size_t i = 0; i < count; i++) { \
            const type *a = (const type *)in + i; \
            type *b = (type *)inout + i; \
            bool better = op == MPI_MAXLOC ? a->value > b->value : a->value < b->value; \
            if (better || (a->value == b->value && a->at < b->at)) \
                *b = *a; \
        } \
        return 1

/* A function for each type: the cases that it has are the operations that are defined. */
#define REDUCE(name, ...) \
    static int reduce_##name(MPI_Op op, const uint8_t *in, uint8_t *inout, size_t count) \
    { \
        switch (op) { \
            __VA_ARGS__; \
        default: \
            return 0; \
        } \
    }
#define REDUCE_INTEGER(name, type) REDUCE(name, ARITHMETIC(type); LOGICAL(type); BITWISE(type))

typedef struct int_at {
    int value, at;
} int_at;
typedef struct float_at {
    float value;
    int at;
} float_at;
typedef struct double_at {
    double value;
    int at;
} double_at;
typedef struct long_at {
    long value;
    int at;
} long_at;
typedef struct short_at {
    short value;
    int at;
} short_at;

REDUCE_INTEGER(schar, signed char)
REDUCE_INTEGER(uchar, unsigned char)
REDUCE_INTEGER(short, short)
REDUCE_INTEGER(ushort, unsigned short)
REDUCE_INTEGER(int, int)
REDUCE_INTEGER(uint, unsigned)
REDUCE_INTEGER(long, long)
REDUCE_INTEGER(ulong, unsigned long)
REDUCE(float, ARITHMETIC(float))
REDUCE(double, ARITHMETIC(double))
REDUCE(ldouble, ARITHMETIC(long double))
REDUCE(bool, LOGICAL(bool))
REDUCE(byte, BITWISE(uint8_t))
REDUCE(int_at, LOCATED(int_at))
REDUCE(float_at, LOCATED(float_at))
REDUCE(double_at, LOCATED(double_at))
REDUCE(long_at, LOCATED(long_at))
REDUCE(short_at, LOCATED(short_at))

typedef int reduction(MPI_Op op, const uint8_t *in, uint8_t *inout, size_t count);

static reduction *const reductions[HEDDLE_MPI_BASIC_TYPES] = { [MPI_SIGNED_CHAR] = reduce_schar,
    [MPI_UNSIGNED_CHAR] = reduce_uchar,
    [MPI_BYTE] = reduce_byte,
    [MPI_SHORT] = reduce_short,
    [MPI_UNSIGNED_SHORT] = reduce_ushort,
    [MPI_INT] = reduce_int,
    [MPI_UNSIGNED] = reduce_uint,
    [MPI_LONG] = reduce_long,
    [MPI_UNSIGNED_LONG] = reduce_ulong,
    [MPI_LONG_LONG_INT] = reduce_long,
    [MPI_UNSIGNED_LONG_LONG] = reduce_ulong,
    [MPI_FLOAT] = reduce_float,
    [MPI_DOUBLE] = reduce_double,
    [MPI_LONG_DOUBLE] = reduce_ldouble,
    [MPI_C_BOOL] = reduce_bool,
    [MPI_INT8_T] = reduce_schar,
    [MPI_INT16_T] = reduce_short,
    [MPI_INT32_T] = reduce_int,
    [MPI_INT64_T] = reduce_long,
    [MPI_UINT8_T] = reduce_uchar,
    [MPI_UINT16_T] = reduce_ushort,
    [MPI_UINT32_T] = reduce_uint,
    [MPI_UINT64_T] = reduce_ulong,
    [MPI_AINT] = reduce_long,
    [MPI_2INT] = reduce_int_at,
    [MPI_FLOAT_INT] = reduce_float_at,
    [MPI_DOUBLE_INT] = reduce_double_at,
    [MPI_LONG_INT] = reduce_long_at,
    [MPI_SHORT_INT] = reduce_short_at };

static hd_mpi_op *own_op(MPI_Op op)
{
    int i = op - HEDDLE_MPI_BASIC_OPS;
    hd_mpi_op *ops = hd_mpi_rank_now()->ops;
    return i >= 0 && i < HD_MPI_OPS && ops[i].function ? &ops[i] : NULL;
}

int hd_mpi_op_is_valid(MPI_Op op)
{
    return (op > 0 && op < HEDDLE_MPI_BASIC_OPS) || own_op(op);
}

/* A function of the program works on memory of the program, laid out as the type says. */
static void reduce_by(MPI_User_function *function, const uint8_t *in, uint8_t *inout, size_t count, MPI_Datatype type)
{
    const hd_mpi_type *t = hd_mpi_type_of(type);
    const hd_site *site = hd_call_site;
    size_t bytes = count * t->size, room = count * (size_t)t->extent;
    char *a = hd_face_malloc(room), *b = hd_face_malloc(room);
    hd_mpi_unpack(a, t, in, bytes, site);
    hd_mpi_unpack(b, t, inout, bytes, site);
    int *arguments = hd_face_malloc(2 * sizeof *arguments);
    arguments[0] = (int)count;
    arguments[1] = type;
    function(a, b, &arguments[0], &arguments[1]);
    hd_mpi_pack(inout, b, count, t, site);
    hd_face_free(arguments);
    hd_face_free(a);
    hd_face_free(b);
}

int hd_mpi_reduce(MPI_Op op, const uint8_t *in, uint8_t *inout, size_t count, MPI_Datatype type)
{
    hd_mpi_op *own = own_op(op);
    if (own && count)
        reduce_by(own->function, in, inout, count, type);
    if (own)
        return 1;
    const hd_mpi_type *t = hd_mpi_type_of(type);
    reduction *function = t->pattern < HEDDLE_MPI_BASIC_TYPES ? reductions[t->pattern] : NULL;
    return function && function(op, in, inout, count * t->elements);
}

HD_FACE int hd_MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    (void)commute;
    const hd_site *site = hd_mpi_begin("MPI_Op_create");
    hd_mpi_op *ops = hd_mpi_rank_now()->ops;
    int i = 0;
    while (i < HD_MPI_OPS && ops[i].function)
        i++;
    if (i == HD_MPI_OPS)
        hd_end(HD_MODEL_LIMIT, site, "more than %d operations of an MPI rank are not modelled", HD_MPI_OPS);
    ops[i] = (hd_mpi_op) { function, site };
    HD_MPI_TELL(op, HEDDLE_MPI_BASIC_OPS + i);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Op_free(MPI_Op *op)
{
    const hd_site *site = hd_mpi_begin("MPI_Op_free");
    hd_access_range(op, sizeof *op, site, 1);
    hd_mpi_op *own = own_op(*op);
    if (!own)
        return hd_mpi_error(NULL, site, MPI_ERR_OP, "invalid operation");
    own->function = NULL;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
