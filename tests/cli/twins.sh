# Objects are compiled without code that follows inputs, unless they ask for inputs themselves; a link that needs it makes
# them again, wherever they come from.
cat >half.c <<'END'
int half(int n) { return n == 42 ? 0 : n / 2; }
END
cat >asks.c <<'END'
#include <assert.h>
#include <heddle.h>
int half(int n);
int main(void)
{
    int n = heddle_int("n");
    if (half(n) == 0)
        assert(n != 42);
    return 0;
}
END
cat >argument.c <<'END'
#include <assert.h>
int half(int n);
int main(int count, char **words)
{
    assert(count < 2 || words[1][0] != 'q' || half(1));
    return 0;
}
END
for level in -O0 -O2; do
    for file in half asks argument; do
        run 0 heddle cc $level -c $file.c
    done
    run 0 heddle cc asks.o half.o -o direct
    ar rc libhalf.a half.o
    run 0 heddle cc asks.o -L. -lhalf -o archived
    run 0 heddle cc $level -shared -fPIC half.c -o libshared.so
    run 0 heddle cc asks.o ./libshared.so -o sharing
    run 0 heddle cc -r half.o -o relocated.o
    run 0 heddle cc asks.o relocated.o -o relocated
    run 0 heddle cc $level asks.c half.c -o together
    for program in direct archived sharing relocated together; do
        run 1 heddle check --stop=never ./$program
        has 'With inputs: n = 42 (int)' '1 finding'
        hasnt 'not complete'
    done
done

# What another linker has put together cannot be made again.
ld -r half.o asks.o -o mixed.o
run 2 heddle cc mixed.o -o mixed
has 'half.c was compiled without code that follows inputs' 'compile it with -fheddle-inputs'
run 2 heddle cc asks.o -Wl,--whole-archive libhalf.a -Wl,--no-whole-archive -o whole
has 'compile it with -fheddle-inputs'
run 0 heddle cc -fheddle-inputs -c half.c
ld -r half.o asks.o -o mixed.o
run 0 heddle cc mixed.o -o mixed
run 1 heddle check ./mixed
has 'With inputs: n = 42 (int)'

# Inputs from outside the program
run 0 heddle cc argument.o half.o -o plain
run 0 heddle check ./plain
run 2 heddle check --sym-arg=1:1 ./plain
has "argument.c was compiled without code that follows inputs; link it again with 'heddle cc -fheddle-inputs'"
run 0 heddle cc -fheddle-inputs argument.o half.o -o open
run 1 heddle check --sym-arg=1:1 ./open
has 'With inputs'
run 1 heddle check --sym-arg=1:1 argument.c half.c
has 'With inputs'
