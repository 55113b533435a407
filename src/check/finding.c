#include "check/checks.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

const char *hd_finding_word(hd_finding_kind kind)
{
    static const char *const words[] = {
#define FINDING(name, word) word,
#include "check/findings.def"
#undef FINDING
    };
    return words[kind];
}

uint64_t hd_finding_location(const hd_site *site)
{
    if (!site)
        return 0;
    return hd_hash_bytes(site->file, strlen(site->file), 1) ^ hd_hash(((uint64_t)site->line << 32) | site->column);
}

void hd_check_execution(const hd_execution *e, const hd_trace *trace, hd_lockset *lockset,
    void (*found)(void *context, const hd_finding *f), void *context)
{
    hd_finding f;
    for (size_t i = 0; i < trace->new_races.count; i++)
        if (hd_check_race(e, trace, &trace->new_races.items[i], &f))
            found(context, &f);
    hd_lockset_check(lockset, e, found, context);
    hd_check_claims(e, trace->memory, found, context);
    if (hd_check_outcome(e, &f))
        found(context, &f);
    if (hd_check_deadlock(e, &f))
        found(context, &f);
}
