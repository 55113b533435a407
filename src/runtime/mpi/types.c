/* Datatypes: basic ones, and those that a rank builds from others, as lists of elements of basic types. */
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"

#include <stdbool.h>
#include <string.h>

/* In the order of mpi.h. */
static const uint8_t sizes[HEDDLE_MPI_BASIC_TYPES] = { 0, sizeof(char), 1, 1, 1, sizeof(short), sizeof(short),
    sizeof(int), sizeof(int), sizeof(long), sizeof(long), sizeof(long long), sizeof(long long), sizeof(float),
    sizeof(double), sizeof(long double), sizeof(bool), 1, 2, 4, 8, 1, 2, 4, 8, sizeof(MPI_Aint), 1, 8, 8, 16, 16, 8 };

size_t hd_mpi_basic_size(uint8_t basic)
{
    return sizes[basic];
}

/* A basic type has itself as its only element. */
static hd_mpi_type *basic_type(MPI_Datatype type)
{
    static hd_mpi_entry entries[HEDDLE_MPI_BASIC_TYPES];
    static hd_mpi_type types[HEDDLE_MPI_BASIC_TYPES];
    entries[type] = (hd_mpi_entry) { 0, (uint8_t)type };
    types[type] = (hd_mpi_type) { .entries = &entries[type],
        .count = 1,
        .extent = sizes[type],
        .size = sizes[type],
        .pattern = (uint64_t)type,
        .elements = 1,
        .used = 1,
        .committed = 1 };
    return &types[type];
}

hd_mpi_type *hd_mpi_type_of(MPI_Datatype type)
{
    if (type > 0 && type < HEDDLE_MPI_BASIC_TYPES)
        return basic_type(type);
    int own = type - HEDDLE_MPI_BASIC_TYPES;
    hd_mpi_rank *r = hd_mpi_rank_now();
    return own >= 0 && own < HD_MPI_TYPES && r->types[own].used ? &r->types[own] : NULL;
}

/* --- buffers ---------------------------------------------------------------------------------------- */

static int is_dense(const hd_mpi_type *t)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < t->count; at += sizes[t->entries[i++].basic])
        if (t->entries[i].offset != at)
            return 0;
    return t->lower == 0 && t->extent == (int64_t)t->size;
}

/* Calls `part` for each element, or for all of them at once. */
static void for_each(
    const hd_mpi_type *t, const char *buffer, size_t bytes, void (*part)(char *at, size_t n, void *to), void *to)
{
    if (is_dense(t)) {
        part((char *)buffer, bytes, to);
        return;
    }
    for (size_t done = 0, element = 0; done < bytes; element++)
        for (uint32_t i = 0; i < t->count && done < bytes; i++) {
            size_t n = sizes[t->entries[i].basic];
            part((char *)buffer + (int64_t)element * t->extent + t->entries[i].offset, n, to);
            done += n;
        }
}

typedef struct announcement {
    const hd_site *site;
    uint32_t is_write;
    char *from, *to; /* a part that was not announced yet */
} announcement;

static void announce_part(announcement *a)
{
    if (a->from < a->to)
        hd_access_range(a->from, (uint64_t)(a->to - a->from), a->site, a->is_write);
}

static void announce_more(char *at, size_t n, void *to)
{
    announcement *a = to;
    if (at != a->to) {
        announce_part(a);
        a->from = at;
    }
    a->to = at + n;
}

static void announce(const hd_mpi_type *t, const void *buffer, size_t bytes, const hd_site *site, uint32_t is_write)
{
    announcement a = { site, is_write, NULL, NULL };
    for_each(t, buffer, bytes, announce_more, &a);
    announce_part(&a);
}

static void copy_out(char *at, size_t n, void *to)
{
    memcpy(*(uint8_t **)to, at, n);
    *(uint8_t **)to += n;
}

static void copy_in(char *at, size_t n, void *from)
{
    memcpy(at, *(const uint8_t **)from, n);
    *(const uint8_t **)from += n;
}

void hd_mpi_pack(uint8_t *to, const void *buffer, size_t count, const hd_mpi_type *t, const hd_site *site)
{
    announce(t, buffer, count * t->size, site, 0);
    for_each(t, buffer, count * t->size, copy_out, &to);
}

void hd_mpi_unpack(void *buffer, const hd_mpi_type *t, const uint8_t *from, size_t bytes, const hd_site *site)
{
    announce(t, buffer, bytes, site, 1);
    for_each(t, buffer, bytes, copy_in, &from);
}

/* --- making them --------------------------------------------------------------------------------------- */

/* A type that is being put together. */
typedef struct draft {
    hd_mpi_entry entries[HD_MPI_ENTRIES];
    uint32_t count;
    int64_t lower, upper;
} draft;

static draft the_draft; /* one call builds a type without an operation in between */

static int add(draft *d, const hd_mpi_type *t, int64_t offset)
{
    if (d->count + t->count > HD_MPI_ENTRIES)
        return 0;
    for (uint32_t i = 0; i < t->count; i++)
        d->entries[d->count++] = (hd_mpi_entry) { t->entries[i].offset + offset, t->entries[i].basic };
    if (d->lower > t->lower + offset)
        d->lower = t->lower + offset;
    if (d->upper < t->lower + offset + t->extent)
        d->upper = t->lower + offset + t->extent;
    return 1;
}

static int add_several(draft *d, const hd_mpi_type *t, int64_t offset, int count)
{
    for (int i = 0; i < count; i++)
        if (!add(d, t, offset + i * t->extent))
            return 0;
    return 1;
}

static draft *begin_draft(void)
{
    the_draft.count = 0;
    the_draft.lower = INT64_MAX;
    the_draft.upper = INT64_MIN;
    return &the_draft;
}

/* One basic type throughout: that is the pattern, so that 2 of MPI_Type_contiguous(3, MPI_INT) fit 6 MPI_INT. */
static void set_pattern(hd_mpi_type *t)
{
    uint64_t hash = 0;
    int same = 1;
    t->size = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        hash = hash * 1000003 + t->entries[i].basic;
        same &= t->entries[i].basic == t->entries[0].basic;
        t->size += sizes[t->entries[i].basic];
    }
    t->pattern = same && t->count ? t->entries[0].basic : hash | 1ull << 63;
    t->elements = same ? t->count : 1;
}

static int finish(draft *d, MPI_Datatype *made, const hd_site *site)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    int i = 0;
    while (i < HD_MPI_TYPES && r->types[i].used)
        i++;
    if (i == HD_MPI_TYPES)
        hd_end(HD_MODEL_LIMIT, site, "more than %d MPI datatypes of a rank are not modelled", HD_MPI_TYPES);
    hd_mpi_entry *entries = hd_mpi_keep(d->count * sizeof *entries);
    memcpy(entries, d->entries, d->count * sizeof *entries);
    int64_t lower = d->count ? d->lower : 0, upper = d->count ? d->upper : 0;
    r->types[i] = (hd_mpi_type) { entries, d->count, lower, upper - lower, .used = 1, .made = site };
    set_pattern(&r->types[i]);
    HD_MPI_TELL(made, HEDDLE_MPI_BASIC_TYPES + i);
    return MPI_SUCCESS;
}

static int bad_type(const hd_site *site)
{
    return hd_mpi_error(NULL, site, MPI_ERR_TYPE, "invalid datatype");
}

static int bad_count(const hd_site *site)
{
    return hd_mpi_error(NULL, site, MPI_ERR_COUNT, "negative count");
}

static int too_large(const hd_site *site)
{
    hd_end(HD_MODEL_LIMIT, site, "MPI datatypes of more than %d basic elements are not modelled", HD_MPI_ENTRIES);
}

static int make_vector(
    int count, int length, int64_t stride, const hd_mpi_type *t, MPI_Datatype *made, const hd_site *site)
{
    draft *d = begin_draft();
    for (int i = 0; i < count; i++)
        if (!add_several(d, t, i * stride, length))
            return too_large(site);
    return finish(d, made, site);
}

HD_FACE int hd_MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_contiguous");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t || count < 0)
        return t ? bad_count(site) : bad_type(site);
    return make_vector(1, count, 0, t, made, site);
}

HD_FACE int hd_MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_vector");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t || count < 0 || length < 0)
        return t ? bad_count(site) : bad_type(site);
    return make_vector(count, length, stride * t->extent, t, made, site);
}

HD_FACE int hd_MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_create_hvector");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t || count < 0 || length < 0)
        return t ? bad_count(site) : bad_type(site);
    return make_vector(count, length, stride, t, made, site);
}

HD_FACE int hd_MPI_Type_indexed(
    int count, const int *lengths, const int *offsets, MPI_Datatype type, MPI_Datatype *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_indexed");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t || count < 0)
        return t ? bad_count(site) : bad_type(site);
    hd_access_range(lengths, (uint64_t)count * sizeof *lengths, site, 0);
    hd_access_range(offsets, (uint64_t)count * sizeof *offsets, site, 0);
    draft *d = begin_draft();
    for (int i = 0; i < count; i++)
        if (!add_several(d, t, offsets[i] * t->extent, lengths[i]))
            return too_large(site);
    return finish(d, made, site);
}

static int make_struct(int count, const int *lengths, const MPI_Aint *offsets, const MPI_Datatype *types,
    MPI_Datatype *made, const hd_site *site)
{
    if (count < 0)
        return bad_count(site);
    hd_access_range(lengths, (uint64_t)count * sizeof *lengths, site, 0);
    hd_access_range(offsets, (uint64_t)count * sizeof *offsets, site, 0);
    hd_access_range(types, (uint64_t)count * sizeof *types, site, 0);
    draft *d = begin_draft();
    int64_t aligned = 1;
    for (int i = 0; i < count; i++) {
        const hd_mpi_type *t = hd_mpi_type_of(types[i]);
        if (!t)
            return bad_type(site);
        if (!add_several(d, t, offsets[i], lengths[i]))
            return too_large(site);
        for (uint32_t k = 0; k < t->count; k++)
            if (sizes[t->entries[k].basic] > aligned)
                aligned = sizes[t->entries[k].basic];
    }
    if (d->count)
        d->upper = d->lower + (d->upper - d->lower + aligned - 1) / aligned * aligned;
    return finish(d, made, site);
}

HD_FACE int hd_MPI_Type_create_struct(
    int count, const int *lengths, const MPI_Aint *offsets, const MPI_Datatype *types, MPI_Datatype *made)
{
    return make_struct(count, lengths, offsets, types, made, hd_mpi_begin("MPI_Type_create_struct"));
}

HD_FACE int hd_MPI_Type_struct(int count, int *lengths, MPI_Aint *offsets, MPI_Datatype *types, MPI_Datatype *made)
{
    return make_struct(count, lengths, offsets, types, made, hd_mpi_begin("MPI_Type_struct"));
}

HD_FACE int hd_MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_create_resized");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return bad_type(site);
    draft *d = begin_draft();
    add(d, t, 0);
    d->lower = lower;
    d->upper = lower + extent;
    return finish(d, made, site);
}

HD_FACE int hd_MPI_Type_commit(MPI_Datatype *type)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_commit");
    hd_access_range(type, sizeof *type, site, 0);
    hd_mpi_type *t = hd_mpi_type_of(*type);
    if (!t)
        return bad_type(site);
    t->committed = 1;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Type_free(MPI_Datatype *type)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_free");
    hd_access_range(type, sizeof *type, site, 1);
    hd_mpi_type *t = hd_mpi_type_of(*type);
    if (!t || *type < HEDDLE_MPI_BASIC_TYPES)
        return bad_type(site);
    t->used = 0;
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Type_size(MPI_Datatype type, int *size)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_size");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return bad_type(site);
    HD_MPI_TELL(size, (int)t->size);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_get_extent");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return bad_type(site);
    HD_MPI_TELL(lower, t->lower);
    HD_MPI_TELL(extent, t->extent);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    const hd_site *site = hd_mpi_begin("MPI_Type_extent");
    const hd_mpi_type *t = hd_mpi_type_of(type);
    if (!t)
        return bad_type(site);
    HD_MPI_TELL(extent, t->extent);
    return MPI_SUCCESS;
}

static int tell_address(const void *location, MPI_Aint *address, const hd_site *site)
{
    HD_MPI_TELL(address, (MPI_Aint)location);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Get_address(const void *location, MPI_Aint *address)
{
    return tell_address(location, address, hd_call_site);
}

HD_FACE int hd_MPI_Address(void *location, MPI_Aint *address)
{
    return tell_address(location, address, hd_call_site);
}
