// model: read
_Bool __heddle_any_bool(void);
unsigned char __heddle_any_uchar(void);
long __heddle_read(int file, void *to, unsigned long n) {
    unsigned char *t = to;
    unsigned long i = 0;
    if (__heddle_any_bool())
        return -1;
    while (i < n && __heddle_any_bool()) {
        t[i] = __heddle_any_uchar();
        i++;
    }
    return (long)i;
}

// model: write
_Bool __heddle_any_bool(void);
unsigned long __heddle_any_ulong(void);
long __heddle_write(int file, const void *from, unsigned long n) {
    const unsigned char *f = from;
    unsigned char byte;
    if (__heddle_any_bool())
        return -1;
    for (unsigned long i = 0; i < n; i++)
        byte = f[i];
    unsigned long written = __heddle_any_ulong();
    return (long)(written < n ? written : n);
}

// model: pipe
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
int __heddle_pipe(int *ends) {
    if (__heddle_any_bool())
        return -1;
    int first = (int)(__heddle_any_uint() & 1023u);
    ends[0] = first;
    ends[1] = first + 1;
    return 0;
}

// model: isatty
_Bool __heddle_any_bool(void);
int __heddle_isatty(int file) {
    return __heddle_any_bool();
}
