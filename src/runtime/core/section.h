/* Included first in every file of the runtime. Its code has a section of its
 * own, so that its frames can be told from the user's, and its variables have
 * two, so that they are left alone when the rest of memory is rewound. */
#if defined(__clang__) && !defined(__ASSEMBLER__)
#pragma clang section text = "hd_text" data = "hd_own_data" bss = "hd_own_bss"
#endif
