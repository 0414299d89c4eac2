// The further arguments are in a block of words that the caller makes and ends; the callee walks through it.
// Models: LP64, ILP32

struct s { int a, b, c; };

int sum(int count, ...)
{
    __builtin_va_list list, again;
    __builtin_va_start(list, count);
    __builtin_va_copy(again, list);
    int s = __builtin_va_arg(list, int);
    double d = __builtin_va_arg(list, double);
    s += __builtin_va_arg(list, struct s).b;
    s += *__builtin_va_arg(list, char *);
    __builtin_va_end(list);
    return s + d;
}

int walk(__builtin_va_list list)
{
    return __builtin_va_arg(list, int);
}

int pass(int count, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, count);
    return walk(list);
}

int calls(char c, float f, struct s *s)
{
    return sum(4, c, f, *s, "x") + pass(0) + pass(1, 2L);
}

int main(void)
{
    struct s s = { 0 };
    calls('c', 1, &s);
}
