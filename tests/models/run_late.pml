byte n; init { n = 1; run Q(2); n == 3 -> skip } proctype Q(byte k) { n = n + k; run R() } proctype R() { assert(n == 3 || n == 0) }
