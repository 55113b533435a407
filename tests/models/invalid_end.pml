chan q = [1] of { byte }; active proctype A() { byte v; q?v; q?v } active proctype B() { q!1 }
