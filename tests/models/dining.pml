#define N 3
bit fork[N]; active [N] proctype P() { byte l = _pid, r; r = (_pid + 1) % N; do :: atomic { !fork[l] -> fork[l] = 1 } atomic { !fork[r] -> fork[r] = 1 } fork[r] = 0; fork[l] = 0 od }
