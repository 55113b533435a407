/* A source location. The instrumenter creates one private constant of this type per
 * hooked operation; its address is its identity.
 *
 * Before every call of a redirected function and every indirect call, the
 * instrumented code stores the call's site in `hd_call_site`. */
#ifndef HD_ABI_SITE_H
#define HD_ABI_SITE_H

#include <stdint.h>

typedef struct hd_site {
    const char *file, *function;
    uint32_t line, column;
    int32_t path; /* the distance from the site to the text of its access path; 0: none */
} hd_site;

/* How the source gets to the memory that the operation accesses, for reports, which know the types of variables from
 * debug information. A path begins with a variable (`q`: what it points to; `&q`: the variable itself) or with a call
 * (`find()`), and goes on with: an offset in bytes (`+16`); any multiple of a size (`*24`), for an index that is no
 * constant; `@` for the pointer that is there; and `{queue}`, behind a pointer: it is used as one to `struct queue`. So
 * `t->rows[i].next` is `t{table}+16@{row}*24+8`. Of a call of a library's function: its name, a colon, and the path of
 * its first argument, if it is a pointer. */
static inline const char *hd_site_path(const hd_site *site)
{
    return site && site->path ? (const char *)site + site->path : 0;
}

/* The location of a loop, and a variable that it reads (NULL: none is known). */
typedef struct hd_loop_site {
    hd_site site;
    const void *looks_at;
} hd_loop_site;

/* The name of the ELF note in every object that the instrumenter makes. An object whose functions have no twins has a
 * second note of this name, of type HD_NOTE_PLAIN, with the name of its source, and the bitcode that it was made from
 * in a section (compile/kept.h). */
#define HD_NOTE "heddle"
enum { HD_NOTE_MADE, HD_NOTE_PLAIN };
#define HD_KEPT_SECTION ".heddle.bitcode"

/* The section with the folders in which the compiler ran: locations name files relative to one of them. */
#define HD_FOLDERS_SECTION ".heddle.folders"

/* Every function that heddle compiled has a twin, named with this suffix, or a second symbol for itself. */
#define HD_TWIN_SUFFIX ".hd_twin"
#define HD_PLAIN_SUFFIX ".hd_plain"

/* The info word of access hooks. Orders are LLVM's LLVMAtomicOrdering values
 * (0: not atomic), operations LLVM's LLVMAtomicRMWBinOp values. */
enum {
    HD_INFO_SIZE = 0xff,
    HD_INFO_ORDER_SHIFT = 8,
    HD_INFO_ORDER = 0xf00,
    HD_INFO_VOLATILE = 0x1000,
    HD_INFO_ALONE = 0x2000, /* known at compile time: one thread exists */
    HD_INFO_SEVERAL = 0x4000, /* known: several threads exist. If neither is set, the hook has to test it */
    HD_INFO_AGAIN = 0x8000, /* known to be allowed, unless another thread has run since */
    HD_INFO_CONSTANT = 0x10000, /* of an atomic update: its operand is a constant */
    HD_INFO_RMW_SHIFT = 17
};

/* Which plain accesses call hooks: none; all, to be checked; all, to be checked and to be operations. */
typedef enum hd_watch { HD_WATCH_NOTHING, HD_WATCH_BOUNDS, HD_WATCH_ALL } hd_watch;

/* What a cover hook records: the start of a block, or the target of a jump. HD_COVER_SWITCH is the default of a switch,
 * HD_COVER_SWITCH + n its n-th case. */
enum { HD_COVER_BLOCK, HD_COVER_NOT_TAKEN, HD_COVER_TAKEN, HD_COVER_SWITCH };

/* Loops that may wait. PURE: it is proved that an iteration that returns to the header has changed nothing except by
 * hooked operations, and that no value that is carried to the next iteration differs. */
typedef enum hd_loop_kind { HD_LOOP_UNKNOWN = 0, HD_LOOP_PURE = 1 } hd_loop_kind;

#endif
