/* The files of the pages, each followed by a zero byte. All pages have the same top. */
        .macro asset_begin name
        .global hd_serve_\name
hd_serve_\name:
        .endm
        .macro asset_end file
        .incbin "src/serve/html/\file"
        .byte 0
        .endm
        .macro asset_HTML name, file
        asset_begin \name
        .incbin "src/serve/html/top.html"
        asset_end \file
        .endm
        .macro asset_other name, file
        asset_begin \name
        asset_end \file
        .endm
#define asset_CSS asset_other
#define asset_JS asset_other
#define asset_SVG asset_other
        .section .rodata
#define ASSET(path, name, file, type) asset_##type name, file
#include "serve/assets.def"
        .section .note.GNU-stack,"",@progbits
