/* Feeds the Promela front end with damaged models: tokens of real models are
 * dropped, doubled, swapped and replaced. Nothing may crash or hang, every
 * refusal must name a place, and what compiles must survive a short search.
 * Usage: promela SECONDS MODEL… */
#include "base/rng.h"
#include "model/liveness.h"
#include "model/search.h"
#include "promela/source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 16 };

static const char *const spices[] = { "{", "}", "(", ")", "[", "]", ";", "->", "::", "!", "?", "??", "!!", "..", ",", "0",
    "255", "-1", "if", "fi", "do", "od", "atomic", "d_step", "unless", "else", "goto", "break", "run", "chan", "byte", "of",
    "proctype", "init", "active", "inline", "typedef", "mtype", "eval", "timeout", "len", "for", "select", "xr", "ltl",
    "never", "[]", "<>", "U", "X", "np_", "accept:", "enabled", "\"", "'", "/*", "#", "@", "$", "\n", "4294967296", "_pid", "end:", "x", "=", "++", "skip", "assert" };

static size_t random_token(hd_rng *rng, const char *text, size_t size, size_t *length)
{
    size_t at = hd_rng_below(rng, size ? size : 1);
    while (at > 0 && at < size && ((text[at] | 32) >= 'a' && (text[at] | 32) <= 'z'))
        at--;
    *length = 1 + hd_rng_below(rng, 6);
    if (at + *length > size)
        *length = size - at;
    return at;
}

static size_t damage(hd_rng *rng, char *text, size_t size)
{
    size_t length, at = random_token(rng, text, size, &length);
    char piece[64];
    switch (hd_rng_below(rng, 3)) {
    case 0: /* drop */
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 1: { /* put something in */
        int n = snprintf(piece, sizeof piece, " %s ", spices[hd_rng_below(rng, sizeof spices / sizeof *spices)]);
        if (size + (size_t)n >= LARGEST)
            return size;
        memmove(text + at + n, text + at, size - at);
        memcpy(text + at, piece, (size_t)n);
        return size + (size_t)n;
    }
    default: { /* move a piece */
        size_t to = hd_rng_below(rng, size + 1 - length);
        memcpy(piece, text + at, length);
        memmove(text + at, text + at + length, size - at - length);
        memmove(text + to + length, text + to, size - length - to);
        memcpy(text + to, piece, length);
        return size;
    }
    }
}

static void use_claims(hd_promela_program *p, const hd_model_limits *limits)
{
    for (size_t i = 0; i < p->model->claims.count; i++) {
        hd_model_claim c;
        hd_model_liveness l;
        hd_error error;
        if (!hd_model_claim_open(&c, p, &p->model->claims.items[i], &error))
            continue;
        hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, limits);
        hd_model_liveness_run(&l, &setup, &c, i % 2 == 0);
        hd_model_liveness_close(&l);
        hd_model_claim_close(&c);
    }
}

static void use_search(const hd_model_search *search, const hd_promela_program *p, const hd_model_limits *limits)
{
    hd_error error;
    hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, limits);
    void *s = search->open(&setup, &error);
    if (!s)
        return;
    search->run(s, NULL);
    search->close(s);
}

static void use(hd_promela_program *p)
{
    hd_model_limits limits = { .jobs = 1, .most_findings = 3, .max_states = 300 };
#define SEARCH(name) use_search(&hd_model_search_##name, p, &limits);
#include "model/searches.def"
#undef SEARCH
    use_claims(p, &limits);
}

static bool try_text(const char *text)
{
    hd_error error = { "" };
    hd_promela_model *m = hd_promela_parse("fuzz.pml", text, &error);
    if (!m) {
        if (!strchr(error.text, ':') || !error.text[0])
            fprintf(stderr, "a refusal without a place: %s\n", error.text);
        return error.text[0] != '\0' && strchr(error.text, ':');
    }
    hd_promela_program *p = hd_promela_compile(m, NULL, &error);
    if (p) {
        use(p);
        hd_promela_program_close(p);
    }
    return true;
}

typedef struct arguments {
    int count;
    char **values;
    int failed;
} arguments;

static void *work(void *given)
{
    arguments *a = given;
    hd_rng rng;
    char *text = malloc(LARGEST + 1);
    double end = hd_now() + (a->count > 1 ? atof(a->values[1]) : 5);
    int tried = 0, failed = 0;
    hd_rng_seed(&rng, 20261115);
    while (a->count > 2 && hd_now() < end) {
        hd_arena arena;
        hd_error error;
        hd_arena_init(&arena, &hd_heap);
        const char *source = hd_promela_source_read(a->values[2 + hd_rng_below(&rng, (uint64_t)a->count - 2)], NULL, &arena, &error);
        size_t size = source ? strlen(source) : 0;
        for (int round = 0; size < LARGEST / 2 && round < 40 && hd_now() < end; round++) {
            memcpy(text, source, size);
            size_t now = size;
            for (uint64_t i = 0, n = 1 + hd_rng_below(&rng, 4); i < n && now > 8; i++)
                now = damage(&rng, text, now);
            text[now] = '\0';
            alarm(20);
            tried++;
            failed += !try_text(text);
        }
        hd_arena_fini(&arena);
    }
    free(text);
    a->failed = failed + (tried <= 100);
    printf("%d damaged models tried\n%d passed, %d failed\n", tried, !a->failed, a->failed);
    return NULL;
}

/* Sanitizers need more stack than the main thread has. */
int main(int argc, char **argv)
{
    arguments a = { argc, argv, 0 };
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 29);
    if (pthread_create(&thread, &attributes, work, &a) != 0)
        return 2;
    pthread_join(thread, NULL);
    return a.failed != 0;
}
