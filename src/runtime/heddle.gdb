# The gdb script of `heddle replay --gdb`. heddle sets $heddle_start and
# $heddle_end, the range of the program's own code, and $heddle_thread, the thread
# of the finding (-1: the running one).

set pagination off
set disable-randomization on
handle SIGPROF nostop noprint pass
handle SIGSYS nostop noprint pass
handle SIGSEGV nostop noprint pass

define heddle-user-frame
  while $pc < $heddle_start || $pc >= $heddle_end || ($pc >= (unsigned long) &__start_hd_text && $pc < (unsigned long) &__stop_hd_text) || $pc == (unsigned long) &hd_fiber_switch
    up-silently
  end
  frame
end
document heddle-user-frame
Select the innermost frame of the user's own code.
end

define heddle-thread
  frame 0
  if $arg0 != hd_current->id
    set $heddle_sp = (unsigned long *) hd_threads[$arg0].sp
    set $rbx = $heddle_sp[5]
    set $rbp = $heddle_sp[6]
    set $pc = $heddle_sp[7]
    set $rsp = (unsigned long) ($heddle_sp + 8)
  end
  heddle-user-frame
end
document heddle-thread
heddle-thread N: show the stack of thread TN of the program.
The execution cannot continue after it.
end

tbreak hd_failure_reached
run
if $heddle_thread >= 0
  heddle-thread $heddle_thread
else
  heddle-user-frame
end
