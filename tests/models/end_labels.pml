chan q = [1] of { byte }; active proctype A() { byte v; end: do :: q?v :: v == 3 -> v = 0 od } active proctype B() { q!3; q!4; endhere: false }
