#include "serve/digest.h"
#include "unit/test.h"

#include <stdlib.h>

static bool fine;

static const char *digest(const char *text)
{
    static const char *const bulk[] = { "steps", "text", NULL };
    static char *made;
    size_t size;
    free(made);
    FILE *out = open_memstream(&made, &size);
    fine = hd_serve_digest(text, bulk, out);
    fclose(out);
    return made;
}

TEST(members_are_left_out_at_any_depth)
{
    CHECK_TEXT(digest("{ \"a\": 1, \"text\": \"x\", \"b\": [ { \"steps\": [1, {}] }, { \"c\": null, \"text\": 2 } ] }"),
        "{\"a\":1,\"b\":[{},{\"c\":null}]}");
    CHECK(fine);
    CHECK_TEXT(digest("{\"text\": 1, \"a\": -1.5e+3}"), "{\"a\":-1.5e+3}");
    CHECK_TEXT(digest("{\"text\": 1, \"steps\": {\"a\": 1}}"), "{}");
}

TEST(texts_are_copied_as_they_are)
{
    CHECK_TEXT(digest("[\"a \\\" b\", \"\\\\\", \"{\\\"steps\\\": 1}\", \"\\u00e4 ,:]\"]"),
        "[\"a \\\" b\",\"\\\\\",\"{\\\"steps\\\": 1}\",\"\\u00e4 ,:]\"]");
    CHECK(fine);
    CHECK_TEXT(digest("[\"steps\", \"text\"]"), "[\"steps\",\"text\"]"); /* values, not names */
}

TEST(what_is_not_whole_is_refused)
{
    const char *const broken[] = { "", "{", "[1, 2", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\" 1}", "{a: 1}", "[1 2]",
        "\"abc", "\"abc\\", "{\"steps\": [}", "1 2", "{} x", "[}" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        digest(broken[i]);
        if (fine)
            hd_test_failed(__FILE__, __LINE__, "'%s' was taken for JSON", broken[i]);
    }
    char deep[200];
    memset(deep, '[', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    digest(deep);
    CHECK(!fine);
}
