// model: abs
int __heddle_abs(int value) {
    return value < 0 ? -value : value;
}

// model: labs
long __heddle_labs(long value) {
    return value < 0 ? -value : value;
}

// model: llabs
long long __heddle_llabs(long long value) {
    return value < 0 ? -value : value;
}

// model: atoi
int __heddle_atoi(const char *s) {
    unsigned int value = 0;
    char c;
    while ((c = *s) == ' ' || (c >= '\t' && c <= '\r'))
        s++;
    _Bool negative = c == '-';
    if (c == '-' || c == '+')
        s++;
    while ((c = *s) >= '0' && c <= '9') {
        value = value * 10u + (unsigned int)(c - '0');
        s++;
    }
    return (int)(negative ? -value : value);
}

// model: atol
long __heddle_atol(const char *s) {
    unsigned long value = 0;
    char c;
    while ((c = *s) == ' ' || (c >= '\t' && c <= '\r'))
        s++;
    _Bool negative = c == '-';
    if (c == '-' || c == '+')
        s++;
    while ((c = *s) >= '0' && c <= '9') {
        value = value * 10u + (unsigned long)(c - '0');
        s++;
    }
    return (long)(negative ? -value : value);
}

// model: atoll
long long __heddle_atoll(const char *s) {
    unsigned long long value = 0;
    char c;
    while ((c = *s) == ' ' || (c >= '\t' && c <= '\r'))
        s++;
    _Bool negative = c == '-';
    if (c == '-' || c == '+')
        s++;
    while ((c = *s) >= '0' && c <= '9') {
        value = value * 10u + (unsigned long long)(c - '0');
        s++;
    }
    return (long long)(negative ? -value : value);
}

// model: __heddle_magnitude
static int __heddle_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}
unsigned long long __heddle_magnitude(const char *s, char **end, int base, _Bool *negative, _Bool *overflow,
                                      unsigned long long most) {
    const char *start = s;
    unsigned long long value = 0;
    _Bool any = 0;
    char c;
    *negative = 0;
    *overflow = 0;
    while ((c = *s) == ' ' || (c >= '\t' && c <= '\r'))
        s++;
    if (c == '-' || c == '+') {
        *negative = c == '-';
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __heddle_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = s[0] == '0' ? 8 : 10;
    }
    for (;;) {
        int digit = __heddle_digit(*s);
        if (digit >= base)
            break;
        any = 1;
        s++;
        if (value > (most - (unsigned)digit) / (unsigned)base)
            *overflow = 1;
        else
            value = value * (unsigned)base + (unsigned)digit;
    }
    if (end)
        *end = (char *)(any ? s : start);
    return value;
}

// model: strtol
unsigned long long __heddle_magnitude(const char *s, char **end, int base, _Bool *negative, _Bool *overflow,
                                      unsigned long long most);
int *__heddle___errno_location(void);
long __heddle_strtol(const char *s, char **end, int base) {
    _Bool negative, overflow;
    const unsigned long least = (unsigned long)1 << (sizeof(long) * 8 - 1);
    unsigned long long value = __heddle_magnitude(s, end, base, &negative, &overflow, least);
    if (overflow || (!negative && value == least)) {
        *__heddle___errno_location() = 34;
        value = negative ? least : least - 1;
    }
    return (long)(negative ? -value : value);
}

// model: strtoll
unsigned long long __heddle_magnitude(const char *s, char **end, int base, _Bool *negative, _Bool *overflow,
                                      unsigned long long most);
int *__heddle___errno_location(void);
long long __heddle_strtoll(const char *s, char **end, int base) {
    _Bool negative, overflow;
    const unsigned long long least = (unsigned long long)1 << (sizeof(long long) * 8 - 1);
    unsigned long long value = __heddle_magnitude(s, end, base, &negative, &overflow, least);
    if (overflow || (!negative && value == least)) {
        *__heddle___errno_location() = 34;
        value = negative ? least : least - 1;
    }
    return (long long)(negative ? -value : value);
}

// model: strtoul
unsigned long long __heddle_magnitude(const char *s, char **end, int base, _Bool *negative, _Bool *overflow,
                                      unsigned long long most);
int *__heddle___errno_location(void);
unsigned long __heddle_strtoul(const char *s, char **end, int base) {
    _Bool negative, overflow;
    const unsigned long most = (unsigned long)-1;
    unsigned long long value = __heddle_magnitude(s, end, base, &negative, &overflow, most);
    if (overflow) {
        *__heddle___errno_location() = 34;
        return most;
    }
    return (unsigned long)(negative ? -value : value);
}

// model: strtoull
unsigned long long __heddle_magnitude(const char *s, char **end, int base, _Bool *negative, _Bool *overflow,
                                      unsigned long long most);
int *__heddle___errno_location(void);
unsigned long long __heddle_strtoull(const char *s, char **end, int base) {
    _Bool negative, overflow;
    const unsigned long long most = (unsigned long long)-1;
    unsigned long long value = __heddle_magnitude(s, end, base, &negative, &overflow, most);
    if (overflow) {
        *__heddle___errno_location() = 34;
        return most;
    }
    return (unsigned long long)(negative ? -value : value);
}

// model: qsort
void __heddle_qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
    unsigned char *first = base;
    // Every element may be moved, also to where it was.
    for (unsigned long i = 0; count > 1 && i < count * size; i++) {
        unsigned char byte = first[i];
        first[i] = byte;
    }
    for (unsigned long i = 1; i < count; i++) {
        for (unsigned long j = i; j > 0; j--) {
            unsigned char *left = first + (j - 1) * size, *right = left + size;
            if (compare(left, right) <= 0)
                break;
            for (unsigned long k = 0; k < size; k++) {
                unsigned char byte = left[k];
                left[k] = right[k];
                right[k] = byte;
            }
        }
    }
}

// model: bsearch
void *__heddle_bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
                       int (*compare)(const void *, const void *)) {
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        const unsigned char *element = (const unsigned char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}

// model: rand_r
unsigned int __heddle_any_uint(void);
int __heddle_rand_r(unsigned int *seed) {
    unsigned int old = *seed;
    *seed = __heddle_any_uint();
    return (int)(__heddle_any_uint() & 2147483647u);
}

// model: drand48
unsigned int __heddle_any_uint(void);
double __heddle_drand48(void) {
    return (__heddle_any_uint() + (__heddle_any_uint() & 65535u) / 65536.0) / 4294967296.0;
}

// model: __heddle_environment_is_changed
_Bool *__heddle_environment_is_changed(void) {
    static _Bool changed;
    return &changed;
}

// model: getenv
_Bool *__heddle_environment_is_changed(void);
char *__heddle_any_string(void);
_Bool __heddle_imprecise(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
static struct {
    char name[64], *value;
} __heddle_environment[8];
static int __heddle_variables;
static _Bool __heddle_is_called(const char *a, const char *b) {
    for (int i = 0; i < 63; i++) {
        if (a[i] != b[i])
            return 0;
        if (!a[i])
            return 1;
    }
    return 1;
}
char *__heddle_getenv(const char *name) {
    char *value;
    int i = 0;
    __heddle___VERIFIER_atomic_begin();
    if (*__heddle_environment_is_changed()) {
        __heddle_imprecise();
        __heddle_variables = 0;
    }
    while (i < __heddle_variables && !__heddle_is_called(__heddle_environment[i].name, name))
        i++;
    if (i < __heddle_variables) {
        value = __heddle_environment[i].value;
    } else {
        value = __heddle_any_string();
        if (i < 8) {
            for (int k = 0; k < 63 && name[k]; k++)
                __heddle_environment[i].name[k] = name[k];
            __heddle_environment[i].value = value;
            __heddle_variables++;
        } else {
            __heddle_imprecise();
        }
    }
    __heddle___VERIFIER_atomic_end();
    return value;
}

// model: setenv
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
_Bool *__heddle_environment_is_changed(void);
int __heddle_setenv(const char *name) {
    while (*name)
        name++;
    *__heddle_environment_is_changed() = 1;
    return __heddle_any_bool() ? __heddle_fails() : 0;
}

// model: strtod
unsigned long __heddle_any_ulong(void);
double __heddle_any_double(void);
unsigned long __heddle_strlen(const char *s);
double __heddle_strtod(const char *s, char **end) {
    unsigned long n = __heddle_strlen(s) + 1;
    if (end)
        *end = (char *)s + __heddle_any_ulong() % n;
    return __heddle_any_double();
}

// model: mkstemp
char __heddle_any_char(void);
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
int __heddle_fails(void);
unsigned long __heddle_strlen(const char *s);
int __heddle_mkstemp(char *name) {
    unsigned long n = __heddle_strlen(name);
    if (n < 6 || __heddle_any_bool())
        return __heddle_fails();
    for (unsigned long i = n - 6; i < n; i++) {
        char c = __heddle_any_char();
        name[i] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : '0';
    }
    return (int)(__heddle_any_uint() & 2147483647u);
}
