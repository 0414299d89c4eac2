// A barrier is nothing, and an empty template moves its input at most; anything else makes its outputs arbitrary and goes into the ledger.
// Prints: barriers, outputs, jumps, ledger

int g;

void barriers(void)
{
    asm volatile("" ::: "memory");
    asm volatile("mfence" ::: "memory");
    asm("rep; nop");
}

int outputs(int x, int y)
{
    asm("" : "+r"(x));
    asm("" : "=r"(y) : "0"(x));
    asm("" : "=r"(x), "=r"(y) : "0"(y), "1"(x));
    asm("" : "=r"(y) : "r"(x));
    asm("" : "=r"(y));
    asm volatile("lock; xaddl %0, %1" : "+r"(x), "+m"(g) : : "memory");
    asm("bswap %0" : "=r"(y) : "0"(y));
    return x + y;
}

int jumps(int x)
{
    asm goto("jmp %l0" : : "r"(x) : : away);
    return 1;
away:
    return 2;
}

int main(void)
{
    barriers();
    outputs(1, 2);
    jumps(3);
}
