/* Included first in every file of the runtime: its code has a section of its
 * own, so that its frames can be told from the user's. */
#if defined(__clang__) && !defined(__ASSEMBLER__)
#pragma clang section text = "hd_text"
#endif
