// Inputs are arbitrary values of their type: a Boolean is zero or one, an unsigned one is extended with zeros.

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
char __VERIFIER_nondet_char(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);
unsigned short nondet_ushort();
int g;

long inputs(void)
{
    int i = __VERIFIER_nondet_int();
    _Bool b = __VERIFIER_nondet_bool();
    unsigned u = __VERIFIER_nondet_uchar();
    i += __VERIFIER_nondet_char();
    double d = __VERIFIER_nondet_double();
    void *p = __VERIFIER_nondet_pointer();
    long s = nondet_ushort();
    if (__VERIFIER_nondet_int())
        g = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_bool())
        ;
    return i + b + u + (p == 0) + (d < 0) + s;
}

int main(void) { inputs(); }
