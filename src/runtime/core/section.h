/* Included first in every file of the runtime. The runtime's code has a section of its own, so that its stack frames
 * can be distinguished from the program's. Its variables have two, so that they are left out when the rest of the
 * memory is restored. */
#if defined(__clang__) && !defined(__ASSEMBLER__)
#pragma clang section text = "hd_text" data = "hd_own_data" bss = "hd_own_bss"
#endif
