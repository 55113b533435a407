/* A system of two copies. With CRASH, the second one may crash: then its last message, which a handler of exit sends, does not come.
 * With LOSSY, the message before it may be lost. */
#include <assert.h>
#include <heddle.h>
#include <stdlib.h>

static void send_last(void)
{
    heddle_send(0, 1, 2, "", 0);
}

int main(void)
{
    heddle_envelope about = { 0, 0, 0 };
    if (atoi(getenv("HEDDLE_RANK"))) {
        atexit(send_last);
#ifdef CRASH
        heddle_crash_point();
#endif
#ifdef LOSSY
        heddle_send_lossy(0, 1, 1, "", 0);
#else
        heddle_send(0, 1, 1, "", 0);
#endif
        return 0;
    }
    for (int tag = 1; tag <= 2; tag++) {
        heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, &about);
        assert(about.tag == tag);
    }
    return 0;
}
