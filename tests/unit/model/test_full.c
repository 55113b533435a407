#include "model/memo.h"
#include "model/search.h"
#include "unit/test.h"

static hd_promela_program *compiled(const char *source)
{
    hd_error error = { "" };
    hd_promela_model *m = hd_promela_parse("m.pml", source, &error);
    hd_promela_program *p = m ? hd_promela_compile(m, NULL, &error) : NULL;
    if (!p)
        hd_test_failed(__FILE__, __LINE__, "%s", error.text);
    return p;
}

/* A full search that has run; the caller closes it. */
static void *searched(const hd_promela_program *p, hd_model_scheme scheme, const hd_model_result **result)
{
    hd_model_limits limits = { .jobs = 1, .most_findings = 10 };
    hd_model_setup setup = hd_model_setup_of(p, scheme, &limits);
    void *s = hd_model_search_full.open(&setup, NULL);
    hd_model_search_full.run(s, NULL);
    *result = hd_model_search_full.result(s);
    return s;
}

static void check_search(const char *source, hd_model_scheme scheme, int states, int edges, int deadlocks)
{
    const hd_model_result *r;
    hd_promela_program *p = compiled(source);
    void *s = searched(p, scheme, &r);
    CHECK_INT(r->states, states);
    CHECK_INT(r->edges, edges);
    CHECK_INT(r->counts[HD_MODEL_FINDING_DEADLOCK], deadlocks);
    hd_model_search_full.close(s);
    hd_promela_program_close(p);
}

/* P sends 1 then 2, Q sends 3: only a bag lets R have 2 first in every case. */
static const char wants_two_first[] = "chan q = [3] of { byte }; active proctype R() { q?2; q?1; q?3 }\n"
                                      "active proctype P() { q!1; q!2 } active proctype Q() { q!3 }";

TEST(schemes_differ_in_what_can_be_received_first)
{
    uint64_t deadlocks[3];
    for (hd_model_scheme scheme = HD_MODEL_SCHEME_CAUSAL; scheme <= HD_MODEL_SCHEME_ASYNC; scheme++) {
        const hd_model_result *r;
        hd_promela_program *p = compiled(wants_two_first);
        void *s = searched(p, scheme, &r);
        deadlocks[scheme] = r->counts[HD_MODEL_FINDING_DEADLOCK];
        hd_model_search_full.close(s);
        hd_promela_program_close(p);
    }
    CHECK(deadlocks[HD_MODEL_SCHEME_CAUSAL] > 0);
    CHECK(deadlocks[HD_MODEL_SCHEME_FIFO] > 0);
    CHECK_INT(deadlocks[HD_MODEL_SCHEME_ASYNC], 0);
}

TEST(messages_that_nobody_receives_are_noted)
{
    const hd_model_result *r;
    hd_promela_program *p = compiled("chan q = [3] of { byte }; active proctype P() { q!1; q!2 }");
    void *s = searched(p, HD_MODEL_SCHEME_CAUSAL, &r);
    CHECK_INT(r->counts[HD_MODEL_FINDING_UNRECEIVED], 1);
    CHECK_INT(r->counts[HD_MODEL_FINDING_DEADLOCK], 0);
    hd_model_search_full.close(s);
    hd_promela_program_close(p);
}

TEST(states_and_edges_of_small_systems)
{
    check_search("active proctype A() { skip }", HD_MODEL_SCHEME_CAUSAL, 3, 2, 0);
    check_search("chan q = [1] of { byte }; active proctype A() { q!1; q!2 }", HD_MODEL_SCHEME_CAUSAL, 2, 1, 1);
}

TEST(faults_are_findings_and_the_search_goes_on)
{
    const hd_model_result *r;
    hd_promela_program *p = compiled("byte a[2], i; active proctype A() { i = 2; a[i] = 1; i = a[0] } "
                                     "active proctype B() { i = 1 / a[1]; a[0] = 7 }");
    void *s = searched(p, HD_MODEL_SCHEME_CAUSAL, &r);
    CHECK_INT(r->findings.count, 3);
    CHECK(r->counts[HD_MODEL_FINDING_FAULT] >= 2);
    hd_model_search_full.close(s);
    hd_promela_program_close(p);
}

TEST(a_store_gives_back_what_was_put_wide_and_narrow)
{
    hd_promela_program *p = compiled("int x; active proctype A() { do :: x < 100000 -> x++ od }");
    const hd_model_result *r;
    void *s = searched(
        p, HD_MODEL_SCHEME_CAUSAL, &r); /* more than 65536 globals: the search starts again with wide numbers */
    CHECK_INT(r->states, 200001);
    hd_model_moves path = { 0 };
    CHECK_INT(r->findings.items[0].kind, HD_MODEL_FINDING_DEADLOCK);
    hd_model_search_full.path(s, &r->findings.items[0], &path);
    CHECK_INT(path.count, 200000);
    hd_vec_fini(&path);
    hd_model_search_full.close(s);
    hd_promela_program_close(p);
}

/* A search with so much room for remembered steps: 0 means that it has to compute every one of them. */
static void search_with(const hd_promela_program *p, size_t words, int jobs, uint64_t found[4])
{
    hd_model_limits limits = { .jobs = jobs, .most_findings = 10 };
    hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, &limits);
    setup.memo_words = words;
    void *s = hd_model_search_full.open(&setup, NULL);
    hd_model_search_full.run(s, NULL);
    const hd_model_result *r = hd_model_search_full.result(s);
    found[0] = r->states;
    found[1] = r->edges;
    found[2] = r->counts[HD_MODEL_FINDING_DEADLOCK];
    found[3] = r->counts[HD_MODEL_FINDING_ASSERTION];
    hd_model_search_full.close(s);
}

TEST(remembered_steps_are_the_steps)
{
    static const char *const sources[] = {
        /* processes start and end, so shapes change; an index read from a channel picks another channel */
        "chan q[2] = [2] of { byte }; byte n; proctype C(byte i) { byte x; q[i]?x; n = n + x; q[1 - i]!x }\n"
        "active proctype A() { byte k; do :: k < 3 -> run C(k % 2); k++ :: q[k % 2]!k :: n > 2 -> break od }",
        /* rendezvous, atomic sequences and timeout look beyond the process itself */
        "chan r = [0] of { byte }, q = [1] of { byte }; byte g; active [2] proctype S() { byte i;\n"
        "do :: atomic { r!i; i = (i + 1) % 3 } :: q!i :: timeout -> g = (g + 1) % 4 od }\n"
        "active proctype R() { byte v; do :: r?v -> atomic { g = v; q?v } :: q?v -> assert(v < 2) od }",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        hd_promela_program *p = compiled(sources[i]);
        uint64_t computed[4], found[4];
        search_with(p, 0, 1, computed);
        for (size_t words = 64; words <= HD_MODEL_MEMO_WORDS; words *= 8)
            for (int jobs = 1; jobs <= 27; jobs = 3 * jobs - (jobs < 3)) { /* 1, 2, 5, 15 */
                search_with(p, words, jobs, found);
                for (int k = 0; k < 4; k++)
                    CHECK_INT(found[k], computed[k]);
            }
        CHECK(computed[0] > 200);
        hd_promela_program_close(p);
    }
}
