/* Files that are complete or not there. */
#include "unit/test.h"

#include "base/whole_file.h"

#include <stdlib.h>
#include <unistd.h>

static const char *contents(const char *path)
{
    static char text[64];
    memset(text, 0, sizeof text);
    FILE *in = fopen(path, "r");
    if (!in)
        return "missing";
    CHECK(fread(text, 1, sizeof text - 1, in) < sizeof text);
    fclose(in);
    return text;
}

TEST(a_file_is_replaced_only_when_it_is_complete)
{
    char folder[] = "/tmp/heddle-file-XXXXXX";
    hd_error error = { "" };
    hd_whole_file f;
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    CHECK(mkdtemp(folder) != NULL);
    const char *path = hd_arena_print(&arena, "%s/x", folder);
    for (int i = 0; i < 2; i++) {
        CHECK(hd_whole_file_open(&f, path, "", &arena, &error));
        fprintf(f.out, "text %d", i);
        CHECK_TEXT(contents(path), i ? "text 0" : "missing");
        CHECK(hd_whole_file_close(&f, &error));
    }
    CHECK_TEXT(contents(path), "text 1");
    CHECK_TEXT(contents(hd_arena_print(&arena, "%s.new", path)), "missing");
    unlink(path);
    rmdir(folder);
    CHECK(!hd_whole_file_open(&f, "/no/such/folder/x", "the replay file ", &arena, &error));
    CHECK_TEXT(error.text, "/no/such/folder/x: the replay file cannot be written: No such file or directory");
    hd_arena_fini(&arena);
}
