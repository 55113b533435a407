#include "runtime/sync/gate.h"

#include "runtime/face/face.h"

HD_FACE void hd_gate_wait(hd_gate *g)
{
    hd_gate_pass(g);
}

HD_FACE int hd_gate_trywait(hd_gate *g)
{
    return hd_gate_try(g);
}

HD_FACE void hd_gate_open(hd_gate *g)
{
    hd_gate_unbar(g);
}
