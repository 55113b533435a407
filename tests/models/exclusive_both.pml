chan q = [2] of { byte }; chan r = [2] of { byte };
active proctype A() { xs q; xr r; byte i, v; do :: i < 3 -> q!i; i++ :: r?v -> v = v + 1; v = v * 2 od }
active proctype B() { xr q; xs r; byte v; end: do :: q?v -> r!v+1; v = 0 :: nempty(q) -> skip od }
