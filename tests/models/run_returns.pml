byte n; pid p;
proctype C(byte k; short z) { n = n + k; if :: k > 0 -> run C(k-1, z+1) :: else fi }
init { p = run C(2, 5); (n == 3) -> assert(p == 1); _nr_pr == 1 -> n = 0 }
