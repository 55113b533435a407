chan srv = [1] of { chan, byte };
proctype client(byte id) { chan me = [1] of { byte }; byte r; srv!me,id; me?r; assert(r == id+1) }
active proctype server() { chan c; byte v; end: do :: srv?c,v -> c!v+1 od }
init { run client(1); run client(2) ; run client(3) }
