/* Ends its process behind heddle's back, as the kernel does when memory runs out. */
static long call(long number, long a, long b)
{
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b) : "rcx", "r11", "memory");
    return number;
}

int main(void)
{
    call(62, call(39, 0, 0), 9);
    return 0;
}
