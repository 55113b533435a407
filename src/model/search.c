#include "model/search.h"

#include "base/sentence.h"
#include "model/memo.h"

#include <string.h>

static const hd_model_search *const all[] = {
#define SEARCH(name) &hd_model_search_##name,
#include "model/searches.def"
#undef SEARCH
};

enum { COUNT = sizeof all / sizeof *all };

const hd_model_search *hd_model_search_find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}

void hd_model_search_names(bool (*has)(const hd_model_search *), char *out, size_t room)
{
    hd_sentence s = { .text = out, .size = room };
    const hd_model_search *chosen[COUNT];
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        if (!has || has(all[i]))
            chosen[count++] = all[i];
    for (int i = 0; i < count; i++)
        hd_sentence_add(&s, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", chosen[i]->name);
}

hd_model_setup hd_model_setup_of(
    const hd_promela_program *program, hd_model_scheme scheme, const hd_model_limits *limits)
{
    return (hd_model_setup) { .program = program,
        .scheme = scheme,
        .limits = *limits,
        .unbounded = scheme != HD_MODEL_SCHEME_CAUSAL,
        .memo_words = HD_MODEL_MEMO_WORDS };
}

void hd_model_result_fini(hd_model_result *r)
{
    hd_model_findings_clear(&r->findings);
    hd_vec_fini(&r->findings);
    for (int i = 0; i <= HD_MODEL_MOST_PROCESSES; i++) {
        hd_release(&hd_heap, r->reached[i], 0);
        hd_release(&hd_heap, r->executed[i], 0);
    }
}
