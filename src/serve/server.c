#include "serve/server.h"

#include "base/clock.h"
#include "serve/api.h"
#include "serve/gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A connection, and the request that it has. */
typedef struct visitor {
    hd_serve_server *server;
    struct MHD_Connection *connection;
    int socket;
    double since; /* it finished a request, or came */
    bool begun, suspended;
    int refused; /* the gate's status; 0: it was let in */
    hd_serve_request request;
    struct MHD_PostProcessor *form;
    size_t received; /* bytes of the body */
    hd_serve_answer answer;
    struct visitor *next;
} visitor;

struct hd_serve_server {
    struct MHD_Daemon *daemon;
    hd_serve_gate gate;
    hd_serve_api *api;
    visitor *visitors;
    char address[96];
};

/* --- connections -------------------------------------------------------------------------------------- */

static void forget_request(visitor *v)
{
    for (size_t i = 0; i < v->request.fields.count; i++) {
        free(v->request.fields.items[i].name);
        free(v->request.fields.items[i].value);
    }
    hd_vec_fini(&v->request.fields);
    if (v->form)
        MHD_destroy_post_processor(v->form);
    hd_serve_answer_fini(&v->answer);
    v->form = NULL;
    v->request = (hd_serve_request) { 0 };
    v->answer = (hd_serve_answer) { 0 };
    v->begun = v->suspended = false;
    v->refused = 0;
    v->received = 0;
    v->since = hd_now();
}

static void on_connection(
    void *context, struct MHD_Connection *connection, void **own, enum MHD_ConnectionNotificationCode code)
{
    hd_serve_server *s = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        visitor *v = hd_alloc(&hd_heap, sizeof *v);
        *v = (visitor) { .server = s,
            .connection = connection,
            .socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
            .since = hd_now(),
            .next = s->visitors };
        s->visitors = *own = v;
        return;
    }
    visitor *v = *own, **at = &s->visitors;
    while (*at != v)
        at = &(*at)->next;
    *at = v->next;
    forget_request(v);
    hd_release(&hd_heap, v, sizeof *v);
}

static void on_completed(
    void *context, struct MHD_Connection *connection, void **own, enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    if (*own)
        forget_request(*own);
    *own = NULL;
}

/* --- answers --------------------------------------------------------------------------------------------- */

static enum MHD_Result send_answer(const visitor *v, int status, const char *type, const char *bytes, size_t size)
{
    char policy[512], inside[64] = "";
    if (*v->answer.nonce)
        snprintf(inside, sizeof inside, " 'nonce-%s'", v->answer.nonce);
    snprintf(policy, sizeof policy,
        "default-src 'none'; script-src 'self'%s; style-src 'self'%s; connect-src 'self'; img-src 'self'; form-action "
        "'none'; base-uri 'none'; frame-ancestors 'none'",
        inside, inside);
    const char *const headers[][2] = { { "Content-Type", type }, { "Content-Security-Policy", policy },
        { "X-Content-Type-Options", "nosniff" }, { "Referrer-Policy", "no-referrer" }, { "Cache-Control", "no-store" },
        { "Cross-Origin-Resource-Policy", "same-origin" }, { "Cross-Origin-Opener-Policy", "same-origin" } };
    struct MHD_Response *response = MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    /* Nothing more is read from a client that was refused. */
    if (status >= 400)
        MHD_add_response_header(response, "Connection", "close");
    enum MHD_Result queued = MHD_queue_response(v->connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result refuse(visitor *v, int status, const char *why)
{
    v->refused = status;
    return send_answer(v, status, "text/plain; charset=utf-8", why, strlen(why));
}

static enum MHD_Result give_answer(visitor *v)
{
    const hd_serve_answer *a = &v->answer;
    return send_answer(v, a->status, a->type, a->bytes, a->size);
}

/* A page that types has only one question: the latest. */
static void drop_older(visitor *v)
{
    for (visitor *other = v->server->visitors; other && *v->answer.page; other = other->next)
        if (other != v && other->answer.job && !other->answer.status && !strcmp(other->answer.page, v->answer.page)) {
            hd_serve_job_close(other->answer.job);
            other->answer.job = NULL;
            hd_serve_answer_say(&other->answer, 409, "a later request has taken its place");
        }
}

static enum MHD_Result answer(visitor *v)
{
    hd_serve_api_answer(v->server->api, &v->request, &v->answer);
    if (v->answer.status)
        return give_answer(v);
    drop_older(v);
    v->suspended = true;
    MHD_suspend_connection(v->connection);
    return MHD_YES;
}

/* --- requests -------------------------------------------------------------------------------------------- */

static hd_serve_field *add_field(visitor *v, const char *name, const char *value)
{
    hd_vec_push(&v->request.fields, ((hd_serve_field) { strdup(name), strdup(value) }));
    return hd_vec_last(&v->request.fields);
}

/* A value with a zero byte inside would be another one than the client sees: it does not count. */
static enum MHD_Result add_argument(
    void *context, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value, size_t value_size)
{
    (void)kind;
    if (value && strlen(name) == name_size && strlen(value) == value_size)
        add_field(context, name, value);
    return MHD_YES;
}

/* A value of a form comes in pieces. */
static enum MHD_Result add_piece(void *context, enum MHD_ValueKind kind, const char *name, const char *file,
    const char *type, const char *encoding, const char *bytes, uint64_t offset, size_t size)
{
    visitor *v = context;
    (void)kind, (void)file, (void)type, (void)encoding;
    if (!name || (offset && !v->request.fields.count))
        return MHD_NO;
    hd_serve_field *f = offset ? hd_vec_last(&v->request.fields) : add_field(v, name, "");
    f->value = realloc(f->value, offset + size + 1);
    hd_assert(f->value);
    memcpy(f->value + offset, bytes, size);
    f->value[offset + size] = '\0';
    return MHD_YES;
}

static const char *header(visitor *v, const char *name)
{
    return MHD_lookup_connection_value(v->connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result begin(visitor *v, const char *path, const char *method)
{
    const char *rest;
    hd_serve_claims claims = { method, path, header(v, "Host"), header(v, "Origin"), header(v, "Sec-Fetch-Site"),
        header(v, "Content-Length") };
    v->begun = true;
    int status = hd_serve_gate_judge(&v->server->gate, &claims, &rest);
    if (status)
        return refuse(v, status, rest);
    v->request.path = rest;
    v->request.posts = !strcmp(method, "POST");
    MHD_get_connection_values_n(v->connection, MHD_GET_ARGUMENT_KIND, add_argument, v);
    if (!v->request.posts)
        return MHD_YES;
    v->form = MHD_create_post_processor(v->connection, 1 << 16, add_piece, v);
    return v->form ? MHD_YES : refuse(v, 415, "a form is expected");
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
    const char *method, const char *version, const char *upload, size_t *size, void **own)
{
    visitor *v = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    (void)context, (void)version;
    *own = v;
    if (!v->begun)
        return begin(v, path, method);
    if (v->answer.status)
        return give_answer(v);
    if (!*size)
        return v->refused ? MHD_YES : answer(v);
    v->received += *size;
    if (!v->refused && v->received > HD_SERVE_MOST_BODY)
        return MHD_NO;
    if (!v->refused && v->form)
        MHD_post_process(v->form, upload, *size);
    *size = 0;
    return MHD_YES;
}

/* --- the loop -------------------------------------------------------------------------------------------- */

hd_serve_server *hd_serve_server_open(const char *folder, uint16_t port, hd_error *error)
{
    hd_serve_server *s = hd_alloc(&hd_heap, sizeof *s);
    struct sockaddr_in loopback = { .sin_family = AF_INET, .sin_port = htons(port) };
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool fine = hd_serve_gate_open(&s->gate) || hd_fail(error, "the system has no random numbers for a token");
    s->api = fine ? hd_serve_api_open(folder, error) : NULL;
    if (s->api) {
        s->daemon = MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR,
            &loopback, MHD_OPTION_CONNECTION_LIMIT, (unsigned)HD_SERVE_MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)HD_SERVE_PATIENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(128 << 10),
            MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
            MHD_OPTION_END);
        fine = s->daemon || hd_fail(error, "port %u cannot be used: %s", port, strerror(errno));
    }
    if (!s->daemon) {
        if (s->api)
            hd_serve_api_close(s->api);
        hd_release(&hd_heap, s, sizeof *s);
        return NULL;
    }
    s->gate.port = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%u/%s/", s->gate.port, s->gate.token);
    return s;
}

static void resume(visitor *v)
{
    v->suspended = false;
    v->since = hd_now();
    MHD_resume_connection(v->connection);
}

void hd_serve_server_close(hd_serve_server *s)
{
    /* A connection must not be suspended when the daemon ends. */
    for (visitor *v = s->visitors; v; v = v->next)
        if (v->suspended)
            resume(v);
    MHD_stop_daemon(s->daemon);
    hd_serve_api_close(s->api);
    hd_release(&hd_heap, s, sizeof *s);
}

const char *hd_serve_server_address(const hd_serve_server *s)
{
    return s->address;
}

static void advance_answers(hd_serve_server *s)
{
    for (visitor *v = s->visitors; v; v = v->next) {
        hd_serve_answer *a = &v->answer;
        if (a->job && !a->status) {
            hd_serve_job_advance(a->job);
            if (hd_serve_job_has_ended(a->job))
                a->finish(a);
        }
        if (v->suspended && a->status)
            resume(v);
    }
}

/* The library sees that the socket has ended, and closes it. */
static void cut_slow(const hd_serve_server *s)
{
    for (const visitor *v = s->visitors; v; v = v->next)
        if (!v->suspended && hd_now() - v->since > HD_SERVE_PATIENCE)
            shutdown(v->socket, SHUT_RDWR);
}

static bool turn(hd_serve_server *s, hd_error *error)
{
    fd_set reading, writing, failing;
    int most = -1;
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    if (MHD_get_fdset(s->daemon, &reading, &writing, &failing, &most) != MHD_YES)
        return hd_fail(error, "there are too many connections");
    hd_serve_api_wait(s->api, &reading, &most);
    for (const visitor *v = s->visitors; v; v = v->next)
        if (v->answer.job)
            hd_serve_job_wait(v->answer.job, &reading, &most);
    /* Time limits are looked at from time to time. */
    unsigned long long wait = 200, due;
    if (MHD_get_timeout(s->daemon, &due) == MHD_YES && due < wait)
        wait = due;
    struct timeval patience = { .tv_usec = (suseconds_t)(wait * 1000) };
    if (select(most + 1, &reading, &writing, &failing, &patience) < 0) {
        FD_ZERO(&reading);
        FD_ZERO(&writing);
        FD_ZERO(&failing);
    }
    MHD_run_from_select(s->daemon, &reading, &writing, &failing);
    hd_serve_api_advance(s->api);
    advance_answers(s);
    cut_slow(s);
    return true;
}

bool hd_serve_server_run(hd_serve_server *s, const volatile sig_atomic_t *stop, hd_error *error)
{
    bool fine = true;
    while (fine && !*stop)
        fine = turn(s, error);
    return fine;
}

const hd_serve_calls hd_serve_server_calls = { .open = hd_serve_server_open,
    .close = hd_serve_server_close,
    .address = hd_serve_server_address,
    .run = hd_serve_server_run };
