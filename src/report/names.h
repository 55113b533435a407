/* Names of memory and values, as the program's source has them.
 *
 * A name says where the bytes are: `table.rows[3].next`, `numbers[1] (local of main)`, `mine (of T1)`. A block of the
 * heap has no name of its own. It is called after a pointer that an access in the execution went through: `q->count`.
 * So a name is the same for all accesses to the same bytes, whatever pointers they used. If several pointers fit, the
 * name is the shortest; if the same words would be the name of two blocks, the block's number replaces the pointer:
 * `block#2->next`.
 *
 * Variables and types come from debug information (dwarf/), and how accesses get to their memory from the paths at
 * their sites (abi/site.h). A name is never guessed: if an element of a block cannot be told, it is `block#2+16`; an
 * address about which nothing is known stays a number. */
#ifndef HD_REPORT_NAMES_H
#define HD_REPORT_NAMES_H

#include "report/result.h"

typedef struct hd_report_names hd_report_names;

/* The number of the block of the heap that contains the address, from 0; ~0: none that the run accesses. */
uint32_t hd_report_block_at(const hd_recorded_run *run, uint64_t address);

/* `run` must outlive it; texts are in `arena`. */
hd_report_names *hd_report_names_open(const hd_recorded_run *run, const char *program, hd_arena *arena);
void hd_report_names_close(hd_report_names *n);

/* What the operation accesses; {NULL, NULL}: nothing that has a name. */
hd_report_access hd_report_names_access(hd_report_names *n, uint32_t entry);

/* What the thread waits for at the end; NULL: nothing that has a name. */
const char *hd_report_names_awaited(hd_report_names *n, uint32_t thread);

/* The bytes at an address, at the end of the execution (`bytes` 0: an object of any size). */
const char *hd_report_names_at(hd_report_names *n, uint64_t address, uint32_t bytes);

/* "block of 88 bytes from calloc at q.c:14"; `number` counts from 0. */
const char *hd_report_names_block(hd_report_names *n, uint32_t number);

#endif
