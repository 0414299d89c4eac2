// model: __VERIFIER_nondet_memory
unsigned char __heddle___VERIFIER_nondet_uchar(void);
void __heddle___VERIFIER_nondet_memory(void *to, unsigned long n) {
    unsigned char *t = to;
    for (unsigned long i = 0; i < n; i++)
        t[i] = __heddle___VERIFIER_nondet_uchar();
}

// model: __errno_location
static _Thread_local int __heddle_errno_object;
int *__heddle___errno_location(void) {
    return &__heddle_errno_object;
}
