// model: fputs
int __heddle_fprintf(void *stream, const char *format, ...);
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
int __heddle_fails(void);
int __heddle_fputs(const char *s, void *stream) {
    __heddle_fprintf(stream, "%s", s);
    return __heddle_any_bool() ? __heddle_fails() : (int)(__heddle_any_uint() & 2147483647u);
}

// model: fputc
int __heddle_fprintf(void *stream, const char *format, ...);
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
int __heddle_fputc(int c, void *stream) {
    __heddle_fprintf(stream, "%c", c);
    return __heddle_any_bool() ? __heddle_fails() : (unsigned char)c;
}

// model: fwrite
unsigned long __heddle_any_ulong(void);
unsigned long __heddle_fwrite(const void *from, unsigned long size, unsigned long count, void *stream) {
    const unsigned char *f = from;
    unsigned char byte;
    for (unsigned long i = 0; i < size * count; i++)
        byte = f[i];
    unsigned long written = __heddle_any_ulong();
    return written < count ? written : count;
}

// model: perror
void __heddle_perror(const char *s) {
    if (s)
        while (*s)
            s++;
}

// model: getchar
_Bool __heddle_any_bool(void);
void __heddle_may_fail(void);
unsigned char __heddle_any_uchar(void);
int __heddle_getchar(void) {
    if (__heddle_any_bool())
        return __heddle_any_uchar();
    __heddle_may_fail();
    return -1;
}

// model: fgets
_Bool __heddle_any_bool(void);
void __heddle_may_fail(void);
char __heddle_any_char(void);
char *__heddle_fgets(char *to, int size, void *stream) {
    int i = 0;
    if (size <= 0 || !__heddle_any_bool()) {
        __heddle_may_fail();
        return (char *)0;
    }
    while (i < size - 1 && (i == 0 || __heddle_any_bool())) {
        char c = __heddle_any_char();
        to[i] = c;
        i++;
        if (c == '\n')
            break;
    }
    to[i] = 0;
    return to;
}

// model: gets
_Bool __heddle_any_bool(void);
char __heddle_any_char(void);
char *__heddle_gets(char *to) {
    unsigned long i = 0;
    if (!__heddle_any_bool())
        return (char *)0;
    while (__heddle_any_bool()) {
        char c = __heddle_any_char();
        if (c == '\n')
            break;
        to[i] = c;
        i++;
    }
    to[i] = 0;
    return to;
}

// model: fread
_Bool __heddle_any_bool(void);
void __heddle_may_fail(void);
unsigned char __heddle_any_uchar(void);
unsigned long __heddle_fread(void *to, unsigned long size, unsigned long count, void *stream) {
    unsigned char *t = to;
    unsigned long i = 0;
    while (i < size * count && __heddle_any_bool()) {
        t[i] = __heddle_any_uchar();
        i++;
    }
    if (i < size * count)
        __heddle_may_fail();
    return size ? i / size : 0;
}

// model: __heddle_streams
char *__heddle_streams(void) {
    static char streams[16];
    return streams;
}

// model: __heddle_use_stream
char *__heddle_streams(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
void __heddle_use_stream(void *stream) {
    char *streams = __heddle_streams(), *used = stream;
    if ((used == streams) | (used == streams + 2) | (used == streams + 4) | (used == streams + 6) | (used == streams + 8) |
        (used == streams + 10) | (used == streams + 12)) {
        __heddle___VERIFIER_atomic_begin();
        if (!used[1])
            *(char *)0 = 0;
        __heddle___VERIFIER_atomic_end();
    }
}

// model: fopen
_Bool __heddle_any_bool(void);
_Bool __heddle_doubt(void);
_Bool __heddle_imprecise(void);
int __heddle_fails(void);
char *__heddle_streams(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
void *__heddle_fopen(const char *name, const char *mode) {
    char *streams = __heddle_streams();
    if (!__heddle_any_bool()) {
        __heddle_fails();
        return (void *)0;
    }
    int i = __heddle_doubt() ? 4 : 0;
    __heddle___VERIFIER_atomic_begin();
    while (i < 7 && streams[2 * i + 1])
        i++;
    if (i == 7)
        __heddle_imprecise();
    else
        streams[2 * i + 1] = 1;
    __heddle___VERIFIER_atomic_end();
    return streams + 2 * i;
}

// model: fclose
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
char *__heddle_streams(void);
void __heddle_use_stream(void *stream);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
int __heddle_fclose(void *stream) {
    char *streams = __heddle_streams();
    __heddle___VERIFIER_atomic_begin();
    __heddle_use_stream(stream);
    for (int i = 0; i < 7; i++)
        if (stream == streams + 2 * i)
            streams[2 * i + 1] = 0;
    __heddle___VERIFIER_atomic_end();
    return __heddle_any_bool() ? __heddle_fails() : 0;
}

// model: pclose
int __heddle_fclose(void *stream);
unsigned int __heddle_any_uint(void);
int __heddle_pclose(void *stream) {
    __heddle_fclose(stream);
    return (int)__heddle_any_uint();
}

// model: freopen
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
void *__heddle_freopen(const char *name, const char *mode, void *stream) {
    if (__heddle_any_bool())
        return stream;
    __heddle_fails();
    return (void *)0;
}

// model: fmemopen
void *__heddle_fopen(const char *name, const char *mode);
_Bool __heddle_imprecise(void);
void *__heddle_fmemopen(void *memory, unsigned long size, const char *mode) {
    __heddle_imprecise();
    return __heddle_fopen(mode, mode);
}
