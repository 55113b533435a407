#include "compile/wrap.h"

#include <string.h>

static const struct row {
    const char *name, *face;
} rows[] = {
#define REDIRECT(name) { #name, "hd_" #name },
#define REDIRECT_AS(name, other) { #name, "hd_" #other },
#define REDIRECT_UNUSED(name) { #name, "hd_" #name "_unused" },
#define UNMODELLED(name)
#include "abi/redirect.def"
};

typedef struct wrapping {
    hd_arena *arena;
    hd_cc_texts *into;
    bool name_follows; /* the last argument was --wrap */
} wrapping;

static void wrap(wrapping *w, const char *name)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if (!strcmp(row->name, name))
            hd_vec_push(w->into, hd_arena_print(w->arena, "-Wl,--wrap=%s", row->face));
}

/* One argument of the linker. Long options have one dash or two. */
static void look(wrapping *w, const char *argument)
{
    static const char option[] = "-wrap";
    const char *rest = argument + (argument[0] == '-' && argument[1] == '-');
    size_t length = strlen(option);
    bool fits = !strncmp(rest, option, length);
    if (w->name_follows)
        wrap(w, argument);
    else if (fits && rest[length] == '=')
        wrap(w, rest + length + 1);
    w->name_follows = !w->name_follows && fits && !rest[length];
}

static void look_at_list(wrapping *w, const char *list)
{
    char *copy = hd_arena_copy(w->arena, list), *rest = copy;
    for (char *argument; (argument = strsep(&rest, ","));)
        look(w, argument);
}

void hd_cc_wrap(hd_arena *arena, hd_cc_texts *into, const hd_cc_line *line)
{
    static const char list[] = "-Wl,", single[] = "-Xlinker";
    wrapping w = { .arena = arena, .into = into };
    for (size_t i = 0; i < line->items.count; i++) {
        const hd_cc_item *item = &line->items.items[i];
        if (!strncmp(item->text, list, strlen(list)))
            look_at_list(&w, item->text + strlen(list));
        else if (!strcmp(item->text, single) && item->value)
            look(&w, item->value);
    }
}
