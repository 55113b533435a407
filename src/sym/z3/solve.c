/* The solver process, the only user of Z3's API. It reads requests from its standard input, a
 * socket, and replies there until it is closed. It is a process of its own so that the tested
 * program cannot overwrite Z3's memory, and a crash or an explosion is just a query without an
 * answer.
 *
 * Each condition gets a name, a Boolean that implies it, and is asserted once; a query assumes the
 * names of its conditions. So what Z3 learns is kept, and unsat cores come as sets of conditions. */
#include "sym/solver.h"
#include "sym/z3/terms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINE = STDIN_FILENO,
    MOST_NAMES = 2000, /* then a new Z3 solver is started: old conditions only slow it down */
    GRACE = 2 /* seconds after the time limit until the process kills itself */
};

static const rlim_t most_memory = 4ull << 30;

typedef struct solving {
    Z3_context context;
    Z3_solver solver;
    hd_z3_terms terms;
    hd_vec(Z3_ast) names; /* by term; NULL: not asserted yet */
    uint32_t name_count;
    hd_vec(hd_term) conditions, inputs;
    hd_vec(Z3_ast) assumptions;
    hd_vec(uint64_t) values;
    hd_vec(uint32_t) core;
} solving;

/* --- the line ------------------------------------------------------------------------------- */

static bool receive(void *into, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = recv(LINE, (char *)into + done, size - done, 0);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool transmit(const void *from, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = send(LINE, (const char *)from + done, size - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

#define RECEIVE_ALL(vector, n) \
    (hd_vec_clear(vector), hd_vec_reserve(vector, (n) + 1), (vector)->count = (n), \
        receive((vector)->items, (n) * sizeof *(vector)->items))

/* --- Z3 --------------------------------------------------------------------------------------- */

static void begin(solving *s)
{
    s->solver = Z3_mk_simple_solver(s->context);
    Z3_solver_inc_ref(s->context, s->solver);
    s->name_count = 0;
    hd_vec_clear(&s->names);
}

static void start_afresh(solving *s)
{
    Z3_solver_dec_ref(s->context, s->solver);
    begin(s);
}

static void limit(solving *s, Z3_solver solver, uint32_t milliseconds)
{
    Z3_params p = Z3_mk_params(s->context);
    Z3_params_inc_ref(s->context, p);
    Z3_params_set_uint(s->context, p, Z3_mk_string_symbol(s->context, "timeout"), milliseconds);
    Z3_solver_set_params(s->context, solver, p);
    Z3_params_dec_ref(s->context, p);
}

/* The Boolean that implies the condition; asserted on first use. */
static Z3_ast name_of(solving *s, hd_term term)
{
    while (s->names.count <= term)
        hd_vec_push(&s->names, (Z3_ast)NULL);
    if (!s->names.items[term]) {
        Z3_sort sort = Z3_mk_bool_sort(s->context);
        Z3_ast name = hd_z3_keep(&s->terms, Z3_mk_fresh_const(s->context, "c", sort));
        Z3_ast condition = hd_z3_terms_get(&s->terms, term);
        Z3_solver_assert(s->context, s->solver, hd_z3_keep(&s->terms, Z3_mk_implies(s->context, name, condition)));
        s->names.items[term] = name;
        s->name_count++;
    }
    return s->names.items[term];
}

/* Inputs that the model leaves open get a value by model completion. */
static void read_model(solving *s, Z3_solver solver)
{
    Z3_model model = Z3_solver_get_model(s->context, solver);
    Z3_model_inc_ref(s->context, model);
    hd_vec_clear(&s->values);
    for (size_t i = 0; i < s->inputs.count; i++) {
        Z3_ast input = hd_z3_terms_get(&s->terms, s->inputs.items[i]), value = NULL;
        uint64_t number = 0;
        if (input && Z3_model_eval(s->context, model, input, 1, &value)) {
            Z3_inc_ref(s->context, value);
            if (s->terms.widths.items[s->inputs.items[i]] == 1)
                number = Z3_get_bool_value(s->context, value) == Z3_L_TRUE;
            else
                Z3_get_numeral_uint64(s->context, value, &number);
            Z3_dec_ref(s->context, value);
        }
        hd_vec_push(&s->values, number);
    }
    Z3_model_dec_ref(s->context, model);
}

static void read_core(solving *s)
{
    Z3_ast_vector core = Z3_solver_get_unsat_core(s->context, s->solver);
    Z3_ast_vector_inc_ref(s->context, core);
    hd_vec_clear(&s->core);
    for (unsigned k = 0; k < Z3_ast_vector_size(s->context, core); k++)
        for (size_t i = 0; i < s->assumptions.count; i++)
            if (Z3_ast_vector_get(s->context, core, k) == s->assumptions.items[i])
                hd_vec_push(&s->core, (uint32_t)i);
    Z3_ast_vector_dec_ref(s->context, core);
}

static hd_answer meaning(Z3_lbool result)
{
    return result == Z3_L_TRUE ? HD_SAT : result == Z3_L_FALSE ? HD_UNSAT : HD_UNKNOWN;
}

static hd_answer solve_incrementally(solving *s, uint32_t milliseconds)
{
    hd_vec_clear(&s->assumptions);
    for (size_t i = 0; i < s->conditions.count; i++)
        hd_vec_push(&s->assumptions, name_of(s, s->conditions.items[i]));
    limit(s, s->solver, milliseconds);
    hd_answer answer = meaning(
        Z3_solver_check_assumptions(s->context, s->solver, (unsigned)s->assumptions.count, s->assumptions.items));
    if (answer == HD_SAT)
        read_model(s, s->solver);
    else if (answer == HD_UNSAT)
        read_core(s);
    return answer;
}

/* A hard query from scratch, with Z3's full bit-vector tactics; no core. */
static hd_answer solve_alone(solving *s, uint32_t milliseconds)
{
    Z3_solver solver = Z3_mk_solver_for_logic(s->context, Z3_mk_string_symbol(s->context, "QF_BV"));
    Z3_solver_inc_ref(s->context, solver);
    limit(s, solver, milliseconds);
    for (size_t i = 0; i < s->conditions.count; i++)
        Z3_solver_assert(s->context, solver, hd_z3_terms_get(&s->terms, s->conditions.items[i]));
    hd_answer answer = meaning(Z3_solver_check(s->context, solver));
    if (answer == HD_SAT)
        read_model(s, solver);
    hd_vec_clear(&s->core);
    Z3_solver_dec_ref(s->context, solver);
    return answer;
}

/* Half of the time for the incremental solver, the rest for a fresh one. */
static hd_answer solve(solving *s, uint32_t milliseconds)
{
    if (s->name_count > MOST_NAMES)
        start_afresh(s);
    hd_answer answer = solve_incrementally(s, milliseconds - milliseconds / 2);
    return answer == HD_UNKNOWN && milliseconds > 1 ? solve_alone(s, milliseconds / 2) : answer;
}

/* --- requests ---------------------------------------------------------------------------------- */

static bool receive_terms(solving *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        hd_solve_term t;
        if (!receive(&t, sizeof t) || !hd_z3_terms_add(&s->terms, &t))
            return false;
    }
    return true;
}

static bool reply(solving *s, hd_answer answer)
{
    hd_solve_reply r = { .answer = answer,
        .values = answer == HD_SAT ? (uint32_t)s->values.count : 0,
        .core = answer == HD_UNSAT ? (uint32_t)s->core.count : 0 };
    return transmit(&r, sizeof r) && transmit(s->values.items, r.values * sizeof *s->values.items)
        && transmit(s->core.items, r.core * sizeof *s->core.items);
}

static bool serve(solving *s)
{
    hd_solve_request r;
    if (!receive(&r, sizeof r))
        return false;
    if (r.forget) {
        start_afresh(s);
        hd_z3_terms_forget(&s->terms);
    }
    if (!receive_terms(s, r.terms) || !RECEIVE_ALL(&s->conditions, r.conditions) || !RECEIVE_ALL(&s->inputs, r.inputs))
        return false;
    /* The engine may be broken too: an unknown term ends the process. */
    for (size_t i = 0; i < s->conditions.count; i++)
        if (!hd_z3_terms_get(&s->terms, s->conditions.items[i]))
            return false;
    alarm(r.milliseconds / 1000 + GRACE); /* Z3 does not always observe its timeout */
    hd_answer answer = solve(s, r.milliseconds);
    alarm(0);
    return reply(s, answer);
}

/* Z3 reports an error of ours, or that it ran out of memory: end the process, which the engine sees
 * as no answer. */
static void on_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    _exit(code == Z3_MEMOUT_FAIL ? 1 : 2);
}

int main(void)
{
    pid_t child = fork(); /* the process that spawned it waits only for this one */
    if (child)
        _exit(child < 0);
    setsid();
    setrlimit(RLIMIT_AS, &(struct rlimit) { most_memory, most_memory });
    Z3_global_param_set("smt.relevancy", "0"); /* twice as fast on long chains of comparisons */
    Z3_config config = Z3_mk_config();
    solving s = { .context = Z3_mk_context_rc(config) };
    Z3_del_config(config);
    Z3_set_error_handler(s.context, on_error);
    hd_z3_terms_init(&s.terms, s.context);
    begin(&s);
    while (serve(&s)) { }
    _exit(0);
}
