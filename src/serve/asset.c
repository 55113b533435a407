#include "serve/asset.h"

#include "report/page.h"

#include <string.h>

#define ASSET(path, name, file, type) extern const char hd_serve_##name[];
#include "serve/assets.def"
#undef ASSET

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SVG "image/svg+xml"
#define JS "text/javascript; charset=utf-8"

static const hd_serve_asset assets[] = {
#define ASSET(path, name, file, type) { path, type, hd_serve_##name },
#include "serve/assets.def"
#undef ASSET
    { "/page.css", CSS, hd_report_css },
    { "/dom.js", JS, hd_report_dom_js },
    { "/chart.js", JS, hd_report_chart_js },
};

const hd_serve_asset *hd_serve_asset_at(const char *path)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (!strcmp(assets[i].path, path))
            return &assets[i];
    return NULL;
}
