/* Process groups and sessions, as far as signals and waiting need them. At the start all processes are of the group and
 * the session of the first one, which leads both. Numbers are those of processes (abi/system.h). */
#ifndef HD_RUNTIME_SYNC_GROUPS_H
#define HD_RUNTIME_SYNC_GROUPS_H

#include "abi/site.h"

#include <stdint.h>

/* Before a run. */
void hd_groups_reset(void);

/* Process `to` is made by the current one. */
void hd_groups_copy(uint32_t to);

/* setpgid and setsid: 0 or minus an error number. */
int hd_groups_set(uint32_t process, uint32_t group, const hd_site *site);
int hd_groups_new_session(const hd_site *site);

uint32_t hd_group_of(uint32_t process, const hd_site *site);
uint32_t hd_session_of(uint32_t process, const hd_site *site);

#endif
