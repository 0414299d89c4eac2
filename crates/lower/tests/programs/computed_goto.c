// The address of a label is a number; a computed goto is a choice among all labels whose address is taken, and a value that is none of
// them is not understood.

int interpret(unsigned char *code)
{
    static void *table[] = { &&push, &&add, &&halt };
    int sum = 0;
    goto *table[*code++];
push:
    sum += *code++;
    goto *table[*code++];
add: {
    int twice = sum;
    void *next = &&halt;
    sum = twice * 2;
    goto *next;
}
halt:
    return sum;
}

void nowhere(void *p)
{
    goto *p;
}

int main(void)
{
    unsigned char code[] = { 0, 1, 2 };
    interpret(code);
    nowhere(0);
}
