/* Files that are mapped shared.
 *
 * All shared mappings of a file are parts of one block of the heap, in whichever process: so stores are seen by every
 * mapping at once, races on them are found, and fork does not copy the block. The block stands for the pages of the
 * file. Calls on the file look at them, too: before a call reads, the block is written to the file in memory
 * (reset/overlay.h), and after a call has written or changed the size, the block is read from it. Such calls announce
 * that they access the block (runtime/sync/fs.h); a call that does not is a limit of the model.
 *
 * The block is freed when all that was mapped has been unmapped; a use after munmap is found then. */
#ifndef HD_RUNTIME_RESET_MAPPED_H
#define HD_RUNTIME_RESET_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* Before a run: none is. */
void hd_mapped_reset(void);

/* The block of the file that `fd` stands for, and its size; NULL: it has none. */
char *hd_mapped_block(int fd, size_t *size);

/* A new block of `size` bytes, a whole number of pages, has the contents of the file from now on. Returns 0 if there
 * are too many. */
int hd_mapped_add(int fd, char *block, size_t size);

/* A part of a block is mapped once more. */
void hd_mapped_count(const char *start, size_t size);

/* A part that begins at the address is unmapped: NULL if it is in no such block, MAP_FAILED if something is left of the
 * mappings of the file, otherwise the block. The file has its contents, and nothing leads to it any more. */
char *hd_mapped_leave(const char *start, size_t size);

/* Before a call reads the file, and after one has changed it. */
void hd_mapped_flush(int fd);
void hd_mapped_refresh(int fd);

#endif
