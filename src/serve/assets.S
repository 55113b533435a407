/* The files of the pages, each followed by a zero byte. */
        .macro asset name, file
        .global hd_serve_\name
hd_serve_\name:
        .incbin "src/serve/html/\file"
        .byte 0
        .endm
        .section .rodata
#define ASSET(path, name, file, type) asset name, file
#include "serve/assets.def"
        .section .note.GNU-stack,"",@progbits
