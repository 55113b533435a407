# What is said about bad input.
run 0 heddle suite counter.c -o suite
run 2 heddle suite counter.c
has "heddle suite PROGRAM -o SUITE"
run 2 heddle suite counter.c -o suite --net=petri
has "--net: there is no 'petri'; there are: unfold, contextual, naive, traces"
run 2 heddle suite counter.c -o suite --method=luck
has "--method: there is no 'luck'"
run 2 heddle suite counter.c -o suite --cover=all
has "--cover: there is no 'all'"
run 2 heddle suite counter.c -o suite --memory=99999999
has "--memory expects a number from 0 to"
mkdir -p folder
run 2 heddle suite counter.c -o folder
has "folder: is a folder; a suite is one file now"
run 2 heddle suite counter.c -o nowhere/suite
has "nowhere: No such file or directory"
run 2 heddle suite --update=nowhere
has "nowhere: cannot be read"
run 2 heddle suite --update=counter.c
has "counter.c:1: this is not a heddle suite (it should begin with 'heddle suite 2')"
run 2 heddle suite counter.c -o
has "-o expects a value"
run 2 heddle replay --all=suite suite
has "--all runs a suite or a folder and takes no other files"
for number in 0 5 99; do
    run 2 heddle replay suite --test=$number --gdb
done
has "suite: there is no test 99; it has 4, with numbers from 1 to 4"
run 2 heddle replay suite --gdb
has "--gdb is for one test at a time"
run 2 heddle replay suite suite --test=1
has "--test is for one suite"
run 2 heddle replay counter.c --test=1
has "--test is for one suite"
run 2 heddle replay suite --test=-1
has "--test expects a non-negative integer"
run 2 heddle replay suite --test=1 --junit=junit.xml
has "--junit is for suites, folders, or several files"

# damage SED MESSAGE: the suite is refused, in this line and for this reason
damage() {
    sed "$1" suite >damaged
    run 2 heddle replay damaged
    has "$2"
    run 2 heddle replay damaged --test=1
    has "$2"
}
line=$(grep -n '^test 2$' suite | cut -d: -f1) # of the second test
step=$((line + 5)) # its first step
damage '1s/2/9/' "damaged:1: the suite has format 9; this heddle reads format 2"
damage '3i nonsense 5' "damaged:3: the suite is damaged: a line that begins with an unknown word"
damage '$d' "damaged:$(wc -l <suite): the suite is damaged: it is cut off (there is no 'end')"
damage "$((step + 1)),\$d" "damaged:$((step + 1)): the suite is damaged: it is cut off (there is no 'end')"
damage "${line}s/2/1/" "damaged:$line: the suite is damaged: the numbers of tests must ascend, from 1 on"
damage "${line}s/2/two/" "damaged:$line: the suite is damaged: a number is expected here"
damage "${line}d" "damaged:$line: the suite is damaged: a line that belongs to no test"
damage "${step}d" "the suite is damaged: there are fewer or more steps than it says"
damage "${step}s/T/X/" "damaged:$step: the suite is damaged: a step like 'T1 lock file.c:13' is expected here"
damage "$((line + 1))s/goal ./goal x/" "damaged:$((line + 1)): the suite is damaged: a number is expected here"
damage '/^depth/d' "the suite is damaged: program, version or depth is missing"
damage '/^net/d' "the suite is damaged: net, cover or method is missing"
damage "$((line + 2))d" "the suite is damaged: program, version, kind, message or depth is missing"
