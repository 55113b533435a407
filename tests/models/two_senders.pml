chan q = [2] of { byte, bit }; active [2] proctype S() { q!_pid,0; q!_pid,1 } active proctype R() { byte p; bit b; byte n; do :: n < 4 -> q?p,b; n++ :: n == 4 -> break od }
