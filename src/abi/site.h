/* A place in the user's source. The instrumenter makes one private constant of
 * this type per hooked operation; its address is its identity.
 *
 * Before every call of a redirected function and every indirect call, the
 * instrumented code stores the call's site in `hd_call_site`. */
#ifndef HD_ABI_SITE_H
#define HD_ABI_SITE_H

#include <stdint.h>

typedef struct hd_site {
    const char *file, *function;
    uint32_t line, column;
} hd_site;

/* The place of a loop, and a variable that it looks at (NULL: none is known). */
typedef struct hd_loop_site {
    hd_site site;
    const void *looks_at;
} hd_loop_site;

/* The name of the ELF note in every object that the instrumenter makes. */
#define HD_NOTE "heddle"

/* The info word of access hooks. Orders are LLVM's LLVMAtomicOrdering values
 * (0: not atomic), operations LLVM's LLVMAtomicRMWBinOp values. */
enum {
    HD_INFO_SIZE = 0xff,
    HD_INFO_ORDER_SHIFT = 8,
    HD_INFO_ORDER = 0xf00,
    HD_INFO_VOLATILE = 0x1000,
    HD_INFO_ALONE = 0x2000, /* known here: one thread exists */
    HD_INFO_SEVERAL = 0x4000, /* the opposite; the hook has to know which if neither is set */
    HD_INFO_AGAIN = 0x8000, /* known to be allowed, unless another thread has run since */
    HD_INFO_CONSTANT = 0x10000, /* of an atomic update: so is its operand */
    HD_INFO_RMW_SHIFT = 17
};

/* How much of its plain accesses the program has to tell: nothing; all, to have
 * them checked; all, to have them checked and seen by other threads. */
typedef enum hd_watch { HD_WATCH_NOTHING, HD_WATCH_BOUNDS, HD_WATCH_ALL } hd_watch;

/* What a cover hook tells: that a block begins, or which way a jump goes. HD_COVER_SWITCH is a switch's default,
 * HD_COVER_SWITCH + n its n-th case. */
enum { HD_COVER_BLOCK, HD_COVER_NOT_TAKEN, HD_COVER_TAKEN, HD_COVER_SWITCH };

/* Loops that may spin. PURE: it is proved that a round that comes back to the
 * header has changed nothing but by the hooked operations in it: no value that
 * lives from one round to the next differs. */
typedef enum hd_loop_kind { HD_LOOP_UNKNOWN = 0, HD_LOOP_PURE = 1 } hd_loop_kind;

#endif
