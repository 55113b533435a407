#include "runtime/sync/groups.h"

#include "abi/system.h"
#include "runtime/core/state.h"
#include "runtime/sched/access.h"
#include "runtime/sync/children.h"
#include "runtime/sync/process.h"

#include <errno.h>
#include <string.h>

static uint8_t groups[HD_MOST_PROCESSES], sessions[HD_MOST_PROCESSES];
uint64_t hd_groups_object; /* abi/shown.def */

static void use(int changes, const hd_site *site)
{
    hd_access_uses(&(hd_object_use) { &hd_groups_object, changes, NULL }, 1, site);
}

void hd_groups_reset(void)
{
    memset(groups, 0, sizeof groups);
    memset(sessions, 0, sizeof sessions);
}

void hd_groups_copy(uint32_t to)
{
    groups[to] = groups[hd_current->process];
    sessions[to] = sessions[hd_current->process];
}

/* Has the session a group of this number? */
static int has_group(uint32_t session, uint32_t group)
{
    for (uint32_t i = 0; i < hd_process_count(); i++)
        if (hd_children_exists(i) && groups[i] == group && sessions[i] == session)
            return 1;
    return 0;
}

int hd_groups_set(uint32_t process, uint32_t group, const hd_site *site)
{
    uint32_t self = hd_current->process;
    int is_child = hd_children_is_child(process) && hd_children_parent(process) == self;
    use(1, site);
    if (process != self && !is_child)
        return -ESRCH;
    if (process != self && hd_process_has_changed(process))
        return -EACCES;
    if (sessions[process] == process || sessions[process] != sessions[self]
        || (group != process && !has_group(sessions[self], group)))
        return -EPERM;
    groups[process] = (uint8_t)group;
    return 0;
}

/* A process whose number is that of a group cannot make a session. */
int hd_groups_new_session(const hd_site *site)
{
    uint32_t self = hd_current->process;
    use(1, site);
    for (uint32_t i = 0; i < hd_process_count(); i++)
        if (hd_children_exists(i) && groups[i] == self)
            return -EPERM;
    groups[self] = sessions[self] = (uint8_t)self;
    return 0;
}

uint32_t hd_group_of(uint32_t process, const hd_site *site)
{
    use(0, site);
    return groups[process];
}

uint32_t hd_session_of(uint32_t process, const hd_site *site)
{
    use(0, site);
    return sessions[process];
}
