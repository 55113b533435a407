/* Functions of the program that have the name of a modelled function.
 *
 * Instrumented code calls hd_NAME for every NAME of abi/redirect.def. The linker
 * resolves hd_NAME as it resolves NAME: an object that heddle compiled and that
 * defines NAME also defines hd_NAME, as the same function; the runtime's definition
 * is weak and comes last. An object that calls hd_NAME also refers to NAME, so that
 * archives contribute the same members as without heddle.
 *
 * Two cases are resolved at start-up, before any code of the program runs: NAME is
 * defined in a shared library (the hd_NAME that is linked into the program precedes
 * that of any library), or in an object of another compiler. Then the runtime's
 * hd_NAME is patched to begin with a jump there. So heddle's version replaces
 * glibc's functions, and no others. */
#ifndef HD_RUNTIME_IMAGE_OWNERS_H
#define HD_RUNTIME_IMAGE_OWNERS_H

/* Finds glibc's functions, so that the runtime calls them even if the program has functions of the same names. Called
 * before anything else. */
void hd_owners_find_libc(void);

/* Patches the runtime's functions as described above. Called after hd_modules_init. */
void hd_owners_settle(void);

/* Is it a function that is defined outside of glibc? (In an executable at a fixed address, the address of a glibc
 * function may be a jump in the executable: that does not count.) */
int hd_owners_is_own(const void *function);

/* Are all functions of abi/judged.def those of the C library? The compiler's proofs about waiting loops rely on it. */
int hd_owners_judged_are_libcs(void);

/* The same for the modelled functions of abi/indifferent.def, on which proofs about clocks rely. */
int hd_owners_indifferent_are_libcs(void);

#endif
