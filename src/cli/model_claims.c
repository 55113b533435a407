#include "cli/model_claims.h"

#include <string.h>

static bool add_named(hd_model_claims *c, hd_promela_program *p, const char *name, hd_error *error)
{
    bool all = !strcmp(name, "all"), found = all || !strcmp(name, "none");
    for (size_t i = 0; i < p->model->claims.count; i++) {
        const hd_promela_claim *from = &p->model->claims.items[i];
        bool this_one = !strcmp(from->name, name);
        hd_model_claim claim;
        found |= this_one;
        if (!all && !this_one)
            continue;
        if (!hd_model_claim_open(&claim, p, from, error))
            return false;
        hd_vec_push(&c->claims, claim);
    }
    return found || hd_fail(error, "%s: there is no ltl formula or never claim '%s'", p->model->file, name);
}

static bool add_liveness(hd_model_claims *c, hd_promela_program *p, const char *what, hd_error *error)
{
    hd_model_claim claim;
    if (!strcmp(what, "acceptance"))
        hd_model_claim_acceptance(&claim);
    else if (!strcmp(what, "progress"))
        hd_model_claim_progress(&claim, p);
    else
        return hd_fail(error, "--liveness wants acceptance or progress, not '%s'", what);
    hd_vec_push(&c->claims, claim);
    return true;
}

bool hd_model_claims_open(
    hd_model_claims *c, hd_promela_program *p, const char *name, const char *liveness, bool fair, hd_error *error)
{
    *c = (hd_model_claims) { .fair = fair };
    bool ok = add_named(c, p, name, error) && (!liveness || add_liveness(c, p, liveness, error));
    if (ok && fair && !c->claims.count)
        ok = hd_fail(error, "--fair goes with a claim or --liveness, and there is none");
    if (!ok)
        hd_model_claims_close(c);
    return ok;
}

void hd_model_claims_run(
    hd_model_claims *c, const hd_promela_program *p, hd_model_scheme scheme, const hd_model_limits *limits)
{
    for (size_t i = 0; i < c->claims.count; i++) {
        hd_model_liveness result;
        hd_model_liveness_run(&result, p, &c->claims.items[i], scheme, c->fair, limits);
        hd_vec_push(&c->results, result);
    }
}

void hd_model_claims_close(hd_model_claims *c)
{
    for (size_t i = 0; i < c->claims.count; i++)
        hd_model_claim_close(&c->claims.items[i]);
    for (size_t i = 0; i < c->results.count; i++)
        hd_model_liveness_close(&c->results.items[i]);
    hd_vec_fini(&c->claims);
    hd_vec_fini(&c->results);
}
