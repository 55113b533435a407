byte g; active proctype A() { g = 1; byte k = g + 1; g = k; { byte h = 5; g = h; int m; g = m; byte arr[2]; arr[1] = g } ; if :: true -> byte j; j = 4; g = j :: skip fi; assert(g != k) }
active proctype B() { skip; skip; if :: skip; skip; skip; g = 1 :: printf("a"); printf("b"); g = 2 fi }
