#include "explore/explorer.h"

#include <string.h>

static const hd_explorer *const all[] = {
#define EXPLORER(name, title, about) &hd_explorer_##name,
#include "explore/explorers.def"
#undef EXPLORER
};

const hd_explorer *hd_explorer_find(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->name, name))
            return all[i];
    return NULL;
}

const char *hd_explorer_names(void)
{
    return
#define EXPLORER(name, title, about) " " title
#include "explore/explorers.def"
#undef EXPLORER
        +1;
}
