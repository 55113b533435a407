mtype = { hello, bye }; chan q = [2] of { mtype }; active proctype A() { q!hello; q!bye } active proctype B() { mtype m; do :: q?hello :: q?bye -> break od; m = bye; assert(m == bye) }
