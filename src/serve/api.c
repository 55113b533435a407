#include "serve/api.h"

#include "base/json.h"
#include "report/page.h"
#include "serve/asset.h"
#include "serve/commands.h"
#include "serve/pairs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_RUNNING = 4, MOST_CHECKS = 50, REPLAY_SECONDS = 60, PAIRS_SECONDS = 40 };

static const char json_type[] = "application/json";

/* A check that a page has started. */
typedef struct check {
    char name[64];
    char *text; /* what was asked for */
    hd_serve_job *job;
    bool stopped;
} check;

struct hd_serve_api {
    hd_serve_runs *runs;
    bool starts; /* checks write into this folder, so they can be started */
    hd_vec(check) checks;
    unsigned made; /* how many there were */
};

/* --- life --------------------------------------------------------------------------------------------- */

static bool is_output_folder(const char *folder)
{
    struct stat a, b;
    return !stat(folder, &a) && !stat("heddle-out", &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

hd_serve_api *hd_serve_api_open(const char *folder, hd_error *error)
{
    hd_serve_runs *runs = hd_serve_runs_open(folder, error);
    if (!runs)
        return NULL;
    hd_serve_api *a = hd_alloc(&hd_heap, sizeof *a);
    *a = (hd_serve_api) { .runs = runs, .starts = is_output_folder(folder) };
    return a;
}

static void drop_check(check *c)
{
    hd_serve_job_close(c->job);
    free(c->text);
}

void hd_serve_api_close(hd_serve_api *a)
{
    for (size_t i = 0; i < a->checks.count; i++)
        drop_check(&a->checks.items[i]);
    hd_vec_fini(&a->checks);
    hd_serve_runs_close(a->runs);
    hd_release(&hd_heap, a, sizeof *a);
}

void hd_serve_api_wait(const hd_serve_api *a, fd_set *reading, int *most)
{
    for (size_t i = 0; i < a->checks.count; i++)
        hd_serve_job_wait(a->checks.items[i].job, reading, most);
}

void hd_serve_api_advance(hd_serve_api *a)
{
    for (size_t i = 0; i < a->checks.count; i++)
        hd_serve_job_advance(a->checks.items[i].job);
}

/* --- runs ------------------------------------------------------------------------------------------------ */

static void answer_runs(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    (void)r;
    FILE *out = hd_serve_answer_open(into, 200, json_type);
    hd_serve_runs_list(a->runs, out);
    fclose(out);
}

static void answer_missing(hd_serve_answer *into)
{
    hd_serve_answer_say(into, 404, "there is no such run");
}

static void answer_run(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    hd_arena arena;
    const char *name = hd_serve_request_field(r, "name");
    hd_arena_init(&arena, &hd_heap);
    char *text = name ? hd_serve_runs_read(a->runs, name, &arena) : NULL;
    if (text) {
        FILE *out = hd_serve_answer_open(into, 200, json_type);
        fputs(text, out);
        fclose(out);
    } else {
        answer_missing(into);
    }
    hd_arena_fini(&arena);
}

static void make_nonce(char *nonce)
{
    unsigned char bytes[16];
    hd_assert(getrandom(bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

static void answer_page(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    hd_arena arena;
    const char *name = hd_serve_request_field(r, "name");
    hd_arena_init(&arena, &hd_heap);
    char *text = name ? hd_serve_runs_read(a->runs, name, &arena) : NULL;
    bool whole = false;
    if (text) {
        make_nonce(into->nonce);
        FILE *out = hd_serve_answer_open(into, 200, "text/html; charset=utf-8");
        static const char head[] = "<link rel=\"icon\" href=\"icon.svg\"><link rel=\"stylesheet\" href=\"serve.css\">";
        const char *more = "<script type=\"module\" src=\"run.js\"></script>";
        whole = hd_report_page_write(text, &(hd_report_served) { into->nonce, head, more }, out);
        fclose(out);
    }
    if (text && !whole) {
        free(into->bytes);
        into->bytes = NULL;
        hd_serve_answer_say(into, 422, "the result is damaged");
    } else if (!text) {
        answer_missing(into);
    }
    hd_arena_fini(&arena);
}

/* --- checks ---------------------------------------------------------------------------------------------- */

static void put_check(hd_json *j, const check *c)
{
    bool ended = hd_serve_job_has_ended(c->job);
    hd_json_object(j, NULL);
    hd_json_text(j, "name", c->name);
    hd_json_text(j, "text", c->text);
    hd_json_bool(j, "ended", ended);
    hd_json_bool(j, "stopped", c->stopped);
    hd_json_int(j, "status", ended ? hd_serve_job_status(c->job) : -1);
    hd_json_real(j, "seconds", hd_serve_job_seconds(c->job));
    hd_json_text(j, "output", hd_serve_job_output(c->job));
    hd_json_end(j, '}');
}

static void answer_live(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    hd_json j;
    (void)r;
    FILE *out = hd_serve_answer_open(into, 200, json_type);
    fprintf(out, "{ \"starts\": %s, \"checks\": ", a->starts ? "true" : "false");
    hd_json_open(&j, out);
    hd_json_array(&j, NULL);
    for (size_t i = a->checks.count; i-- > 0;)
        put_check(&j, &a->checks.items[i]);
    hd_json_end(&j, ']');
    fputs(", \"progress\": ", out);
    hd_serve_runs_progress(a->runs, out);
    fputs(" }", out);
    fclose(out);
}

static size_t count_running(const hd_serve_api *a)
{
    size_t running = 0;
    for (size_t i = 0; i < a->checks.count; i++)
        running += !hd_serve_job_has_ended(a->checks.items[i].job);
    return running;
}

/* Makes room for one more: the oldest that has ended goes. */
static void drop_oldest(hd_serve_api *a)
{
    for (size_t i = 0; a->checks.count >= MOST_CHECKS && i < a->checks.count; i++)
        if (hd_serve_job_has_ended(a->checks.items[i].job)) {
            drop_check(&a->checks.items[i]);
            a->checks.count--;
            memmove(a->checks.items + i, a->checks.items + i + 1, (a->checks.count - i) * sizeof *a->checks.items);
            return;
        }
}

static bool start_check(hd_serve_api *a, const char *text, hd_error *error)
{
    static const hd_serve_limits limits = { .output = 1 << 20 };
    time_t now = time(NULL);
    struct tm local;
    hd_arena arena;
    hd_serve_command command;
    check c = { .text = strdup(text) };
    char when[32];
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &local));
    snprintf(c.name, sizeof c.name, "web-%s-%u", when, ++a->made);
    hd_arena_init(&arena, &hd_heap);
    if (hd_serve_command_check(&command, a->runs, text, c.name, &arena, error))
        c.job = hd_serve_job_start(hd_serve_command_run, &command, &limits, error);
    hd_arena_fini(&arena);
    if (!c.job) {
        free(c.text);
        return false;
    }
    drop_oldest(a);
    hd_vec_push(&a->checks, c);
    return true;
}

static void answer_check(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    hd_error error = { "" };
    const char *text = hd_serve_request_field(r, "text");
    if (!a->starts)
        hd_serve_answer_say(
            into, 409, "checks can be started if the server shows the folder heddle-out of its own folder");
    else if (count_running(a) >= MOST_RUNNING)
        hd_serve_answer_say(into, 503, "too many checks are running");
    else if (start_check(a, text ? text : "", &error))
        hd_serve_answer_say(into, 200, hd_vec_last(&a->checks)->name);
    else
        hd_serve_answer_say(into, 422, error.text);
}

static void answer_stop(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    const char *name = hd_serve_request_field(r, "name");
    for (size_t i = 0; name && i < a->checks.count; i++)
        if (!strcmp(a->checks.items[i].name, name)) {
            a->checks.items[i].stopped = true;
            hd_serve_job_interrupt(a->checks.items[i].job);
            hd_serve_answer_say(into, 200, "it is told to stop");
            return;
        }
    hd_serve_answer_say(into, 404, "there is no such check");
}

/* --- answers that need a job ---------------------------------------------------------------------------------- */

static void finish_replay(hd_serve_answer *a)
{
    hd_json j;
    FILE *out = hd_serve_answer_open(a, 200, json_type);
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_int(&j, "status", hd_serve_job_status(a->job));
    hd_json_bool(&j, "cut", hd_serve_job_is_cut(a->job));
    hd_json_text(&j, "output", hd_serve_job_output(a->job));
    hd_json_end(&j, '}');
    fclose(out);
}

static void answer_replay(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    static const hd_serve_limits limits = { .seconds = REPLAY_SECONDS, .output = 1 << 20 };
    hd_arena arena;
    hd_error error = { "" };
    hd_serve_command command;
    const char *file = hd_serve_request_field(r, "file");
    hd_arena_init(&arena, &hd_heap);
    into->finish = finish_replay;
    if (hd_serve_command_replay(&command, a->runs, file ? file : "", &arena, &error))
        into->job = hd_serve_job_start(hd_serve_command_run, &command, &limits, &error);
    if (!into->job)
        hd_serve_answer_say(into, 422, error.text);
    hd_arena_fini(&arena);
}

static void finish_pairs(hd_serve_answer *a)
{
    const char *output = hd_serve_job_output(a->job);
    int status = hd_serve_job_status(a->job);
    if (hd_serve_job_is_cut(a->job) || (status != HD_EXIT_CLEAN && status != HD_EXIT_USAGE)) {
        hd_serve_answer_say(
            a, 422, "this takes too much time or memory; a smaller strength or --method=ipo needs less");
        return;
    }
    FILE *out = hd_serve_answer_open(a, status == HD_EXIT_CLEAN ? 200 : 422, "text/plain; charset=utf-8");
    fputs(output, out);
    fclose(out);
}

static void answer_pairs(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    static const hd_serve_limits limits = { PAIRS_SECONDS, (size_t)2 << 30, 64 << 20 };
    hd_error error = { "" };
    const char *page = hd_serve_request_field(r, "page");
    (void)a;
#define FIELD(name) .name = hd_serve_request_field(r, #name)
    hd_serve_pairs asked = { FIELD(model), FIELD(strength), FIELD(method), FIELD(time), FIELD(seed), FIELD(order),
        FIELD(relation), FIELD(rows), FIELD(row), FIELD(output) };
#undef FIELD
    snprintf(into->page, sizeof into->page, "%s", page ? page : "");
    into->finish = finish_pairs;
    into->job = hd_serve_job_start(hd_serve_pairs_run, &asked, &limits, &error);
    if (!into->job)
        hd_serve_answer_say(into, 503, error.text);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static const struct route {
    const char *path;
    bool posts;
    void (*answer)(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into);
} routes[] = {
    { "/run", false, answer_page },
    { "/api/runs", false, answer_runs },
    { "/api/run", false, answer_run },
    { "/api/live", false, answer_live },
    { "/api/check", true, answer_check },
    { "/api/stop", true, answer_stop },
    { "/api/replay", true, answer_replay },
    { "/api/pairs", true, answer_pairs },
};

static const struct route *route_of(const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (!strcmp(routes[i].path, path))
            return &routes[i];
    return NULL;
}

void hd_serve_api_answer(hd_serve_api *a, const hd_serve_request *r, hd_serve_answer *into)
{
    const struct route *route = route_of(r->path);
    const hd_serve_asset *asset = hd_serve_asset_at(r->path);
    if (!route && !asset) {
        hd_serve_answer_say(into, 404, "there is nothing here");
    } else if (r->posts != (route && route->posts)) {
        hd_serve_answer_say(into, 405, "this path has another method");
    } else if (route) {
        route->answer(a, r, into);
    } else {
        FILE *out = hd_serve_answer_open(into, 200, asset->type);
        fputs(asset->bytes, out);
        fclose(out);
    }
}
