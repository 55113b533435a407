chan r = [0] of { byte }; chan q = [1] of { byte }; active proctype A() { q!1; r!2; q!3 } active proctype B() { byte x; do :: r?x :: q?x :: timeout -> break od; assert(x == 3 || x == 2) }
