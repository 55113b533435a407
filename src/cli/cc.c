/* heddle cc: see compile/cc.h. It has no options of its own: all are the compiler's. */
#include "compile/cc.h"

int hd_verb_cc(int argc, char **argv);

int hd_verb_cc(int argc, char **argv)
{
    return hd_cc_main(argc, argv);
}
