/* Functions of the program's own that have the name of a modelled one.
 *
 * Instrumented code calls hd_NAME for every NAME of abi/redirect.def. What that
 * is, the linker decides as it decides for NAME: an object that heddle compiled
 * and that defines NAME defines hd_NAME too, as the same function; the runtime's
 * definition is weak and comes last. An object that calls hd_NAME also refers to
 * NAME, so that archives give the members that they would give without heddle.
 *
 * What the linker cannot see is settled before anything of the program runs: NAME
 * may be in a shared library (the program's own hd_NAME comes before that of any
 * library), or in an object that another compiler made. Then the runtime's
 * hd_NAME begins with a jump there. So heddle's version is called for glibc's
 * functions, and for no others. */
#ifndef HD_RUNTIME_IMAGE_OWNERS_H
#define HD_RUNTIME_IMAGE_OWNERS_H

/* From here on the runtime calls glibc's functions where it means them, whatever
 * the program has: before anything else. */
void hd_owners_find_libc(void);

/* Behind hd_modules_init. */
void hd_owners_settle(void);

/* Is it a function that a file other than glibc's has, and not only the jump to
 * one of glibc's that an executable at a fixed address makes for its address? */
int hd_owners_is_own(const void *function);

/* Are the functions of abi/judged.def those of the C library, all of them? */
int hd_owners_judged_are_libcs(void);

/* The same for those of abi/indifferent.def that are modelled. */
int hd_owners_indifferent_are_libcs(void);

#endif
