/* The manifest of a project's checks, heddle.toml: a small part of TOML.
 *
 *   [[check]]
 *   name = "queue"
 *   program = "queue.c"            a program built by heddle cc, or C files: a text, or a list of texts
 *   options = ["--leaks"]          of heddle check
 *   arguments = ["-n", "3"]        of the program
 *   expected = "deadlock"          "clean" (the default), "found", "bound", a kind of finding, or a list of kinds
 *
 * A value is a text in double or single quotes, or a list of texts, which may go over several lines. `#` begins a
 * comment. Paths are relative to the folder of the manifest. */
#ifndef HD_SUPERVISOR_MANIFEST_H
#define HD_SUPERVISOR_MANIFEST_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdint.h>

typedef hd_vec(const char *) hd_manifest_texts;

typedef struct hd_manifest_check {
    const char *name;
    hd_manifest_texts program, options, arguments, expected;
    uint32_t line; /* where it begins */
} hd_manifest_check;

typedef struct hd_manifest {
    const char *path;
    hd_vec(hd_manifest_check) checks;
} hd_manifest;

/* Texts are in `arena`. An error names the line. */
bool hd_manifest_read(hd_manifest *m, const char *path, hd_arena *arena, hd_error *error);
void hd_manifest_close(hd_manifest *m);

#endif
