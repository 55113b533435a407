#include "compile/passes/passes.h"
void hd_pass_loops(hd_unit *unit)
{
    (void)unit;
}
