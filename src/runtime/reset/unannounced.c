#include "runtime/reset/unannounced.h"

#include "abi/fast.h"
#include "runtime/core/state.h"

#include <string.h>

enum { USES = 3 };

/* The threads that have made a use: none, one (its number + 1), or several. */
enum { SEVERAL = ~0u };

static struct {
    uint32_t announced[USES], unannounced[USES];
    uint32_t thread, steps; /* the last announcement: of which thread, and in which of its steps */
    unsigned uses;
} state;

void hd_unannounced_reset(void)
{
    memset(&state, 0, sizeof state);
}

static void add(uint32_t *users, unsigned uses)
{
    for (uint32_t i = 0; i < USES; i++)
        if (uses >> i & 1)
            users[i] = !users[i] || users[i] == hd_current->id + 1 ? hd_current->id + 1 : SEVERAL;
}

static int by_another(const uint32_t *users, hd_file_use use)
{
    uint32_t user = users[__builtin_ctz(use)];
    return user && user != hd_current->id + 1;
}

static int conflicts(const uint32_t *users, unsigned uses)
{
    return ((uses & HD_USES_NUMBERS) && by_another(users, HD_USES_NUMBERS))
        || ((uses & (HD_LOOKS_AT_FILES | HD_CHANGES_FILES)) && by_another(users, HD_CHANGES_FILES))
        || ((uses & HD_CHANGES_FILES) && by_another(users, HD_LOOKS_AT_FILES));
}

int hd_announced(unsigned uses)
{
    if (!hd_fast_state.several)
        return 0;
    int goes_on = state.thread == hd_current->id && state.steps == hd_current->view->steps;
    state.uses = goes_on ? state.uses | uses : uses;
    state.thread = hd_current->id;
    state.steps = hd_current->view->steps;
    add(state.announced, uses);
    return conflicts(state.unannounced, uses);
}

static int is_announced(unsigned uses)
{
    unsigned known = state.uses & HD_CHANGES_FILES ? state.uses | HD_LOOKS_AT_FILES : state.uses;
    return state.thread == hd_current->id && state.steps == hd_current->view->steps && !(uses & ~known);
}

int hd_unannounced(unsigned uses)
{
    if (!hd_fast_state.several || is_announced(uses))
        return 0;
    add(state.unannounced, uses);
    return conflicts(state.unannounced, uses) || conflicts(state.announced, uses);
}
