/* Start, end and errors of MPI; the state of all ranks. */
#include "runtime/core/own.h"
#include "runtime/face/face.h"
#include "runtime/mpi/mpi_internal.h"
#include "runtime/sched/access.h"
#include "runtime/sync/choice.h"
#include "runtime/sync/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { KEPT = 64 << 20 };

/* Objects of operations have addresses of their own (abi/shown.def). */
hd_gate hd_mpi_started; /* rank 0 has chosen whether sends are buffered */
uint64_t hd_mpi_rank_uses[HD_MPI_RANKS];

static hd_mpi_rank *ranks; /* HD_MPI_RANKS */
static uint8_t *kept;
static size_t kept_count;
static int sends_wait;

/* --- before a run ------------------------------------------------------------------------------- */

static void reset(void)
{
    for (uint32_t i = 0; i < HD_MPI_RANKS; i++)
        if (ranks[i].initialised)
            memset(&ranks[i], 0, sizeof ranks[i]);
    hd_mpi_messages_reset();
    hd_mpi_channels_reset();
    hd_mpi_races_reset();
    hd_mpi_guesses_reset();
    hd_mpi_collectives_reset();
    hd_mpi_requests_reset();
    hd_mpi_started.count = 0;
    kept_count = 0;
    sends_wait = 0;
}

static void set_up(void)
{
    if (ranks)
        return;
    ranks = hd_own_alloc(HD_MPI_RANKS * sizeof *ranks);
    kept = hd_own_alloc(KEPT);
    hd_reset_more = reset;
    hd_explain_stuck_more = hd_mpi_explain_stuck;
}

void *hd_mpi_keep(size_t bytes)
{
    if (bytes > KEPT - kept_count)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d MB of MPI messages are not modelled", KEPT >> 20);
    void *memory = kept + kept_count;
    kept_count += (bytes + 15) & ~(size_t)15;
    return memory;
}

/* --- ranks -------------------------------------------------------------------------------------- */

uint32_t hd_mpi_rank_number(void)
{
    return hd_current->process;
}

uint32_t hd_mpi_ranks(void)
{
    return hd_process_count();
}

hd_mpi_rank *hd_mpi_rank_now(void)
{
    return &ranks[hd_mpi_rank_number()];
}

/* A loop that asks again and again must not seem to change anything: a value that is there already is only read. */
void hd_mpi_tell(void *to, const void *value, size_t size, const hd_site *site)
{
    hd_access_range(to, size, site, 0);
    if (!memcmp(to, value, size))
        return;
    hd_access_range(to, size, site, 1);
    memcpy(to, value, size);
}

void hd_mpi_order(const hd_site *site)
{
    hd_access_object(&hd_mpi_rank_uses[hd_mpi_rank_number()], site);
    hd_call_site = site;
}

const hd_site *hd_mpi_begin(const char *call)
{
    const hd_site *site = hd_call_site;
    if (!ranks || !hd_mpi_rank_now()->initialised)
        hd_end(HD_MESSAGE, site, "%s is called before MPI_Init", call);
    hd_mpi_rank *r = hd_mpi_rank_now();
    if (r->finalised)
        hd_end(HD_MESSAGE, site, "%s is called after MPI_Finalize", call);
    if (r->level <= MPI_THREAD_FUNNELED && r->thread != hd_current->id)
        hd_end(HD_MESSAGE, site, "%s is called by another thread than MPI_Init, without MPI_THREAD_MULTIPLE", call);
    r->call = call;
    return site;
}

/* --- errors --------------------------------------------------------------------------------------- */

int hd_mpi_error(const hd_mpi_comm *c, const hd_site *site, int class, const char *format, ...)
{
    char text[160];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    hd_mpi_rank *r = hd_mpi_rank_now();
    if ((c ? c : &r->comms[MPI_COMM_WORLD])->returns_errors)
        return class;
    hd_end(HD_MESSAGE, site, "%s: %s", r->call, text);
}

static const char *const error_texts[MPI_ERR_LASTCODE] = { "no error", "invalid buffer", "invalid count",
    "invalid datatype", "invalid tag", "invalid communicator", "invalid rank", "invalid request", "invalid root",
    "invalid group", "invalid operation", "invalid topology", "invalid dimensions", "invalid argument", "unknown error",
    "message truncated", "other error", "internal error", "error in a status", "pending request" };

HD_FACE int hd_MPI_Error_string(int code, char *text, int *length)
{
    const hd_site *site = hd_call_site;
    const char *found = code >= 0 && code < MPI_ERR_LASTCODE ? error_texts[code] : "unknown error";
    hd_access_range(text, strlen(found) + 1, site, 1);
    strcpy(text, found);
    HD_MPI_TELL(length, (int)strlen(found));
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Error_class(int code, int *class)
{
    const hd_site *site = hd_call_site;
    HD_MPI_TELL(class, code);
    return MPI_SUCCESS;
}

static int set_handler(MPI_Comm comm, MPI_Errhandler handler, const hd_site *site)
{
    hd_mpi_comm *c = hd_mpi_comm_of(comm);
    if (!c)
        return hd_mpi_error(NULL, site, MPI_ERR_COMM, "invalid communicator");
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN)
        return hd_mpi_error(c, site, MPI_ERR_ARG, "invalid error handler");
    c->returns_errors = handler == MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    return set_handler(comm, handler, hd_mpi_begin("MPI_Comm_set_errhandler"));
}

HD_FACE int hd_MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
    return set_handler(comm, handler, hd_mpi_begin("MPI_Errhandler_set"));
}

/* --- start and end ---------------------------------------------------------------------------------- */

/* If sends may wait or not, rank 0 chooses for all. */
static int choose_buffering(const hd_site *site)
{
    const hd_settings *s = &hd_rt.options->settings;
    if (!hd_exploring() || s->mpi_eager || s->mpi_zero)
        return hd_exploring() && s->mpi_zero;
    hd_call_site = site;
    if (hd_mpi_rank_number() == 0) {
        sends_wait = (int)hd_choose(2);
        hd_call_site = site;
        hd_data_comes(&hd_mpi_started);
    } else
        hd_data_await(&hd_mpi_started, NULL);
    return sends_wait;
}

static void check_end(void)
{
    hd_mpi_rank *r = hd_mpi_rank_now();
    if (r->initialised && !r->finalised)
        hd_end(HD_MESSAGE, r->site, "rank %u ends without MPI_Finalize", hd_mpi_rank_number());
}

static void initialise(int level, const char *call)
{
    const hd_site *site = hd_call_site;
    set_up();
    if (hd_mpi_ranks() > HD_MPI_RANKS)
        hd_end(HD_MODEL_LIMIT, site, "MPI with more than %d ranks is not modelled", HD_MPI_RANKS);
    hd_mpi_rank *r = hd_mpi_rank_now();
    r->call = call;
    if (r->initialised)
        hd_end(HD_MESSAGE, site, "%s is called twice", call);
    r->initialised = 1;
    r->level = level;
    r->thread = hd_current->id;
    r->site = site;
    hd_mpi_comms_begin();
    hd_process_at_exit(check_end);
    r->sends_wait = choose_buffering(site);
}

HD_FACE int hd_MPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    initialise(MPI_THREAD_SINGLE, "MPI_Init");
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv;
    const hd_site *site = hd_call_site;
    initialise(required, "MPI_Init_thread");
    HD_MPI_TELL(provided, required);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Query_thread(int *provided)
{
    const hd_site *site = hd_mpi_begin("MPI_Query_thread");
    HD_MPI_TELL(provided, hd_mpi_rank_now()->level);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Initialized(int *flag)
{
    const hd_site *site = hd_call_site;
    HD_MPI_TELL(flag, ranks && hd_mpi_rank_now()->initialised);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Finalized(int *flag)
{
    const hd_site *site = hd_call_site;
    HD_MPI_TELL(flag, ranks && hd_mpi_rank_now()->finalised);
    return MPI_SUCCESS;
}

static void check_handles(const hd_mpi_rank *r)
{
    for (uint32_t i = 0; i < HD_MPI_TYPES; i++)
        if (r->types[i].used)
            hd_end(HD_LEAK, r->types[i].made, "a datatype is never freed (MPI_Type_free)");
    for (uint32_t i = 0; i < HD_MPI_OPS; i++)
        if (r->ops[i].function)
            hd_end(HD_LEAK, r->ops[i].made, "an operation is never freed (MPI_Op_free)");
    for (uint32_t i = 0; i < HD_MPI_GROUPS; i++)
        if (r->groups[i].used)
            hd_end(HD_LEAK, r->groups[i].made, "a group is never freed (MPI_Group_free)");
    for (uint32_t i = MPI_COMM_SELF + 1; i < HD_MPI_COMMS; i++)
        if (r->comms[i].used)
            hd_end(HD_LEAK, r->comms[i].made, "a communicator is never freed (MPI_Comm_free)");
}

/* What is left when all ranks have come to the end. Requests are looked at before that: a rank may wait for what one of
 * them sends. */
HD_FACE int hd_MPI_Finalize(void)
{
    const hd_site *site = hd_mpi_begin("MPI_Finalize");
    hd_mpi_rank *r = hd_mpi_rank_now();
    hd_mpi_comm *world = &r->comms[MPI_COMM_WORLD];
    const hd_mpi_request *left = hd_mpi_request_left();
    if (left)
        hd_end(HD_LEAK, left->site, "a request is neither waited for nor freed before MPI_Finalize");
    const hd_mpi_joining mine = { .call = "MPI_Finalize", .root = -1, .site = site };
    hd_mpi_await_all(world, hd_mpi_join(world, &mine));
    for (uint32_t i = 0; i < HD_MPI_COMMS; i++)
        if (r->comms[i].used)
            hd_mpi_compare_calls(&r->comms[i], site);
    const hd_mpi_message *lost = hd_mpi_lost(hd_mpi_rank_number());
    if (lost)
        hd_end(HD_MESSAGE, lost->site, "a message from rank %u to rank %u (tag %d) is never received", lost->from,
            lost->to, lost->tag);
    check_handles(r);
    r->finalised = 1;
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Abort(MPI_Comm comm, int code)
{
    (void)comm;
    hd_end(HD_ABORT, hd_call_site, "MPI_Abort with code %d", code);
}

/* --- what the machine is like ------------------------------------------------------------------------- */

int hd_clock_gettime(clockid_t clock, struct timespec *to);

/* A read of a clock like any other: what depends on it may make the verdict incomplete. */
HD_FACE double hd_MPI_Wtime(void)
{
    struct timespec now;
    hd_clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

HD_FACE double hd_MPI_Wtick(void)
{
    return 1e-9;
}

HD_FACE int hd_MPI_Get_processor_name(char *name, int *length)
{
    const hd_site *site = hd_mpi_begin("MPI_Get_processor_name");
    static const char text[] = "heddle";
    hd_access_range(name, sizeof text, site, 1);
    memcpy(name, text, sizeof text);
    HD_MPI_TELL(length, (int)sizeof text - 1);
    return MPI_SUCCESS;
}

HD_FACE int hd_MPI_Get_version(int *version, int *subversion)
{
    const hd_site *site = hd_call_site;
    HD_MPI_TELL(version, MPI_VERSION);
    HD_MPI_TELL(subversion, MPI_SUBVERSION);
    return MPI_SUCCESS;
}
