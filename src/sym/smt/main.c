/* The process behind sym/smt.h: it reads texts, each preceded by its length, and replies with
 * Z3's output in the same form, until its input is closed. The first letter of a text is an
 * hd_smt_what. */
#include "sym/smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <z3.h>

static const rlim_t most_memory = 8ull << 30;

typedef struct solving {
    Z3_context context;
    Z3_optimize optimiser;
    hd_smt_text reply;
} solving;

/* Errors are reported in the reply (tell_error). */
static void on_error(Z3_context context, Z3_error_code code)
{
    (void)context, (void)code;
}

static bool tell_error(solving *s)
{
    Z3_error_code code = Z3_get_error_code(s->context);
    if (code == Z3_OK)
        return false;
    hd_vec_clear(&s->reply);
    hd_smt_print(&s->reply, "(error \"%s\")\n", Z3_get_error_msg(s->context, code));
    return true;
}

/* The Booleans that are true in the model, in the form of get-value. */
static void tell_model(solving *s, Z3_model model)
{
    hd_smt_print(&s->reply, "(");
    for (unsigned i = 0; i < Z3_model_get_num_consts(s->context, model); i++) {
        Z3_func_decl name = Z3_model_get_const_decl(s->context, model, i);
        Z3_ast value = Z3_model_get_const_interp(s->context, model, name);
        if (value && Z3_get_bool_value(s->context, value) == Z3_L_TRUE)
            hd_smt_print(
                &s->reply, "(%s true)\n", Z3_get_symbol_string(s->context, Z3_get_decl_name(s->context, name)));
    }
    hd_smt_print(&s->reply, ")");
}

static void optimise(solving *s, const char *text)
{
    Z3_optimize_push(s->context, s->optimiser);
    Z3_optimize_from_string(s->context, s->optimiser, text);
    if (!tell_error(s)) {
        Z3_lbool answer = Z3_optimize_check(s->context, s->optimiser, 0, NULL);
        hd_smt_print(&s->reply, "%s\n", answer == Z3_L_TRUE ? "sat" : answer == Z3_L_FALSE ? "unsat" : "unknown");
        if (answer == Z3_L_TRUE) {
            Z3_model model = Z3_optimize_get_model(s->context, s->optimiser);
            Z3_model_inc_ref(s->context, model);
            tell_model(s, model);
            Z3_model_dec_ref(s->context, model);
        }
        tell_error(s);
    }
    Z3_optimize_pop(s->context, s->optimiser);
}

static void work(solving *s, const char *text)
{
    hd_vec_clear(&s->reply);
    if (*text == HD_SMT_OPTIMISE) {
        optimise(s, text + 1);
    } else {
        hd_smt_print(&s->reply, "%s", Z3_eval_smtlib2_string(s->context, text + 1));
    }
}

int main(void)
{
    uint32_t size;
    setrlimit(RLIMIT_AS, &(struct rlimit) { most_memory, most_memory });
    solving s = { .context = Z3_mk_context(Z3_mk_config()) };
    Z3_set_error_handler(s.context, on_error);
    s.optimiser = Z3_mk_optimize(s.context);
    Z3_optimize_inc_ref(s.context, s.optimiser);
    while (fread(&size, sizeof size, 1, stdin) == 1) {
        char *text = malloc((size_t)size + 1);
        if (!text || fread(text, 1, size, stdin) != size)
            return 1;
        text[size] = '\0';
        work(&s, text);
        uint32_t length = (uint32_t)s.reply.count;
        if (fwrite(&length, sizeof length, 1, stdout) != 1 || fwrite(s.reply.items, 1, length, stdout) != length
            || fflush(stdout))
            return 1;
        free(text);
    }
    return 0;
}
