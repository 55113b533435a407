/* printf into memory. */
#include "runtime/face/face.h"
#include "runtime/libc/format.h"
#include "runtime/libc/see.h"
#include "runtime/reset/heap.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

HD_FACE int hd_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    if (length < 0)
        return length;
    size_t written = (size_t)length < size ? (size_t)length + 1 : size;
    SEE(site, WRITES(to, written));
    return vsnprintf(to, size, format, args);
}

HD_FACE int hd_vsprintf(char *to, const char *format, va_list args)
{
    return hd_vsnprintf(to, INT_MAX, format, args);
}

HD_FACE int hd_snprintf(char *to, size_t size, const char *format, ...)
{
    HD_FORWARD(hd_vsnprintf(to, size, format, args));
}

HD_FACE int hd_sprintf(char *to, const char *format, ...)
{
    HD_FORWARD(hd_vsprintf(to, format, args));
}

static int print_checked(char *to, size_t size, size_t room, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    hd_call_site = site;
    if (length >= 0)
        hd_check_room((size_t)length < size ? (size_t)length + 1 : size, room);
    return hd_vsnprintf(to, size, format, args);
}

HD_FACE int hd___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    hd_check_room(size, room);
    return hd_vsnprintf(to, size, format, args);
}

HD_FACE int hd___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    return print_checked(to, INT_MAX, room, format, args);
}

HD_FACE int hd___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    HD_FORWARD(hd___vsnprintf_chk(to, size, flag, room, format, args));
}

HD_FACE int hd___sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    HD_FORWARD(hd___vsprintf_chk(to, flag, room, format, args));
}

/* --- into memory that the call allocates --------------------------------------------- */

HD_FACE int hd_vasprintf(char **to, const char *format, va_list args)
{
    const hd_site *site = hd_call_site;
    int length = hd_format_length(format, args, site);
    hd_call_site = site;
    hd_effect();
    char *text = length < 0 ? NULL : hd_face_malloc((size_t)length + 1);
    if (!text)
        return -1;
    vsnprintf(text, (size_t)length + 1, format, args);
    SEE(site, WRITES(to, sizeof *to));
    *to = text;
    return length;
}

HD_FACE int hd_asprintf(char **to, const char *format, ...)
{
    HD_FORWARD(hd_vasprintf(to, format, args));
}

HD_FACE int hd___vasprintf_chk(char **to, int flag, const char *format, va_list args)
{
    (void)flag;
    return hd_vasprintf(to, format, args);
}

HD_FACE int hd___asprintf_chk(char **to, int flag, const char *format, ...)
{
    HD_FORWARD(hd___vasprintf_chk(to, flag, format, args));
}
