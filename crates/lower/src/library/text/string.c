// model: __heddle_order
unsigned int __heddle_any_uint(void);
int __heddle_order(_Bool below) {
    int most = (int)(__heddle_any_uint() & 2147483647u);
    return below ? -1 - most : most ? most : 1;
}

// model: memcpy
void *__heddle_memcpy(void *to, const void *from, unsigned long n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (unsigned long i = 0; i < n; i++) {
        if ((i != 0) & ((t + i == f) | (f + i == t)))
            __builtin_unreachable();
        t[i] = f[i];
    }
    return to;
}

// model: memmove
void *__heddle_memmove(void *to, const void *from, unsigned long n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) {
        for (unsigned long i = 0; i < n; i++)
            t[i] = f[i];
    } else {
        for (unsigned long i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    }
    return to;
}

// model: memset
void *__heddle_memset(void *to, int value, unsigned long n) {
    unsigned char *t = to;
    for (unsigned long i = 0; i < n; i++)
        t[i] = (unsigned char)value;
    return to;
}

// model: memcmp
int __heddle_order(_Bool below);
int __heddle_memcmp(const void *left, const void *right, unsigned long n) {
    const unsigned char *l = left, *r = right;
    int order = 0;
    for (unsigned long i = 0; i < n; i++) {
        unsigned char a = l[i], b = r[i];
        if (order == 0 && a != b)
            order = __heddle_order(a < b);
    }
    return order;
}

// model: memchr
void *__heddle_memchr(const void *in, int value, unsigned long n) {
    const unsigned char *p = in;
    for (unsigned long i = 0; i < n; i++)
        if (p[i] == (unsigned char)value)
            return (void *)(p + i);
    return (void *)0;
}

// model: memrchr
void *__heddle_memrchr(const void *in, int value, unsigned long n) {
    const unsigned char *p = in;
    for (unsigned long i = n; i > 0; i--)
        if (p[i - 1] == (unsigned char)value)
            return (void *)(p + i - 1);
    return (void *)0;
}

// model: rawmemchr
void *__heddle_rawmemchr(const void *in, int value) {
    const unsigned char *p = in;
    while (*p != (unsigned char)value)
        p++;
    return (void *)p;
}

// model: memmem
int __heddle_memcmp(const void *left, const void *right, unsigned long n);
void *__heddle_memmem(const void *in, unsigned long n, const void *what, unsigned long m) {
    const unsigned char *p = in;
    if (m > n)
        return (void *)0;
    for (unsigned long i = 0; i <= n - m; i++)
        if (__heddle_memcmp(p + i, what, m) == 0)
            return (void *)(p + i);
    return (void *)0;
}

// model: mempcpy
void *__heddle_memcpy(void *to, const void *from, unsigned long n);
void *__heddle_mempcpy(void *to, const void *from, unsigned long n) {
    __heddle_memcpy(to, from, n);
    return (unsigned char *)to + n;
}

// model: memccpy
void *__heddle_memccpy(void *to, const void *from, int last, unsigned long n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (unsigned long i = 0; i < n; i++) {
        if ((i != 0) & ((t + i == f) | (f + i == t)))
            __builtin_unreachable();
        unsigned char c = f[i];
        t[i] = c;
        if (c == (unsigned char)last)
            return t + i + 1;
    }
    return (void *)0;
}

// model: bzero
void __heddle_bzero(void *to, unsigned long n) {
    unsigned char *t = to;
    for (unsigned long i = 0; i < n; i++)
        t[i] = 0;
}

// model: explicit_bzero
void __heddle_explicit_bzero(void *to, unsigned long n) {
    unsigned char *t = to;
    for (unsigned long i = 0; i < n; i++)
        t[i] = 0;
}

// model: bcopy
void *__heddle_memmove(void *to, const void *from, unsigned long n);
void __heddle_bcopy(const void *from, void *to, unsigned long n) {
    __heddle_memmove(to, from, n);
}

// model: strlen
unsigned long __heddle_strlen(const char *s) {
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}

// model: strnlen
unsigned long __heddle_strnlen(const char *s, unsigned long most) {
    unsigned long n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

// model: strcpy
char *__heddle_strcpy(char *to, const char *from) {
    char c;
    unsigned long i = 0;
    do {
        if ((i != 0) & ((to + i == from) | (from + i == to)))
            __builtin_unreachable();
        c = from[i];
        to[i] = c;
        i++;
    } while (c);
    return to;
}

// model: stpcpy
char *__heddle_stpcpy(char *to, const char *from) {
    char c;
    unsigned long i = 0;
    do {
        if ((i != 0) & ((to + i == from) | (from + i == to)))
            __builtin_unreachable();
        c = from[i];
        to[i] = c;
        i++;
    } while (c);
    return to + (i - 1);
}

// model: stpncpy
char *__heddle_stpncpy(char *to, const char *from, unsigned long n) {
    unsigned long i = 0;
    char c;
    while (i < n && (c = from[i])) {
        if ((i != 0) & ((to + i == from) | (from + i == to)))
            __builtin_unreachable();
        to[i] = c;
        i++;
    }
    for (unsigned long j = i; j < n; j++)
        to[j] = 0;
    return to + i;
}

// model: strncpy
char *__heddle_stpncpy(char *to, const char *from, unsigned long n);
char *__heddle_strncpy(char *to, const char *from, unsigned long n) {
    __heddle_stpncpy(to, from, n);
    return to;
}

// model: strlcpy
unsigned long __heddle_strlcpy(char *to, const char *from, unsigned long size) {
    unsigned long i = 0;
    char c;
    while ((c = from[i])) {
        if (i + 1 < size)
            to[i] = c;
        i++;
    }
    if (size > 0)
        to[i < size ? i : size - 1] = 0;
    return i;
}

// model: strlcat
unsigned long __heddle_strlen(const char *s);
unsigned long __heddle_strnlen(const char *s, unsigned long most);
unsigned long __heddle_strlcpy(char *to, const char *from, unsigned long size);
unsigned long __heddle_strlcat(char *to, const char *from, unsigned long size) {
    unsigned long n = __heddle_strnlen(to, size);
    if (n == size)
        return n + __heddle_strlen(from);
    return n + __heddle_strlcpy(to + n, from, size - n);
}

// model: strcat
unsigned long __heddle_strlen(const char *s);
char *__heddle_strcpy(char *to, const char *from);
char *__heddle_strcat(char *to, const char *from) {
    __heddle_strcpy(to + __heddle_strlen(to), from);
    return to;
}

// model: strncat
unsigned long __heddle_strlen(const char *s);
char *__heddle_strncat(char *to, const char *from, unsigned long n) {
    char *end = to + __heddle_strlen(to);
    unsigned long i = 0;
    char c;
    while (i < n && (c = from[i])) {
        end[i] = c;
        i++;
    }
    end[i] = 0;
    return to;
}

// model: strcmp
int __heddle_order(_Bool below);
int __heddle_strcmp(const char *left, const char *right) {
    unsigned long i = 0;
    for (;;) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a != b)
            return __heddle_order(a < b);
        if (!a)
            return 0;
        i++;
    }
}

// model: strcoll
int __heddle_strcmp(const char *left, const char *right);
int __heddle_strcoll(const char *left, const char *right) {
    return __heddle_strcmp(left, right);
}

// model: strncmp
int __heddle_order(_Bool below);
int __heddle_strncmp(const char *left, const char *right, unsigned long n) {
    for (unsigned long i = 0; i < n; i++) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a != b)
            return __heddle_order(a < b);
        if (!a)
            return 0;
    }
    return 0;
}

// model: strcasecmp
int __heddle_order(_Bool below);
int __heddle_strcasecmp(const char *left, const char *right) {
    unsigned long i = 0;
    for (;;) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a >= 'A' && a <= 'Z')
            a += 'a' - 'A';
        if (b >= 'A' && b <= 'Z')
            b += 'a' - 'A';
        if (a != b)
            return __heddle_order(a < b);
        if (!a)
            return 0;
        i++;
    }
}

// model: strncasecmp
int __heddle_order(_Bool below);
int __heddle_strncasecmp(const char *left, const char *right, unsigned long n) {
    for (unsigned long i = 0; i < n; i++) {
        unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
        if (a >= 'A' && a <= 'Z')
            a += 'a' - 'A';
        if (b >= 'A' && b <= 'Z')
            b += 'a' - 'A';
        if (a != b)
            return __heddle_order(a < b);
        if (!a)
            return 0;
    }
    return 0;
}

// model: strchr
char *__heddle_strchr(const char *s, int value) {
    for (;; s++) {
        char c = *s;
        if (c == (char)value)
            return (char *)s;
        if (!c)
            return (char *)0;
    }
}

// model: strchrnul
char *__heddle_strchrnul(const char *s, int value) {
    for (;; s++) {
        char c = *s;
        if (c == (char)value || !c)
            return (char *)s;
    }
}

// model: strrchr
char *__heddle_strrchr(const char *s, int value) {
    const char *found = (const char *)0;
    for (;; s++) {
        char c = *s;
        if (c == (char)value)
            found = s;
        if (!c)
            return (char *)found;
    }
}

// model: strstr
char *__heddle_strstr(const char *in, const char *what) {
    for (;; in++) {
        unsigned long i = 0;
        char c;
        while ((c = what[i]) && in[i] == c)
            i++;
        if (!c)
            return (char *)in;
        if (!*in)
            return (char *)0;
    }
}

// model: strcasestr
unsigned long __heddle_strlen(const char *s);
int __heddle_strncasecmp(const char *left, const char *right, unsigned long n);
char *__heddle_strcasestr(const char *in, const char *what) {
    unsigned long n = __heddle_strlen(what);
    for (;; in++) {
        if (__heddle_strncasecmp(in, what, n) == 0)
            return (char *)in;
        if (!*in)
            return (char *)0;
    }
}

// model: strspn
unsigned long __heddle_strspn(const char *s, const char *accept) {
    for (unsigned long n = 0;; n++) {
        char c = s[n];
        unsigned long i = 0;
        if (!c)
            return n;
        while (accept[i] && accept[i] != c)
            i++;
        if (!accept[i])
            return n;
    }
}

// model: strcspn
unsigned long __heddle_strcspn(const char *s, const char *reject) {
    for (unsigned long n = 0;; n++) {
        char c = s[n];
        unsigned long i = 0;
        if (!c)
            return n;
        while (reject[i] && reject[i] != c)
            i++;
        if (reject[i])
            return n;
    }
}

// model: strpbrk
unsigned long __heddle_strcspn(const char *s, const char *reject);
char *__heddle_strpbrk(const char *s, const char *accept) {
    const char *found = s + __heddle_strcspn(s, accept);
    return *found ? (char *)found : (char *)0;
}

// model: strtok_r
unsigned long __heddle_strspn(const char *s, const char *accept);
unsigned long __heddle_strcspn(const char *s, const char *reject);
char *__heddle_strtok_r(char *s, const char *separators, char **rest) {
    if (!s)
        s = *rest;
    if (!s)
        return (char *)0;
    s += __heddle_strspn(s, separators);
    if (!*s) {
        *rest = s;
        return (char *)0;
    }
    char *end = s + __heddle_strcspn(s, separators);
    if (*end) {
        *end = 0;
        end++;
    }
    *rest = end;
    return s;
}

// model: strtok
char *__heddle_strtok_r(char *s, const char *separators, char **rest);
static char *__heddle_strtok_rest;
char *__heddle_strtok(char *s, const char *separators) {
    return __heddle_strtok_r(s, separators, &__heddle_strtok_rest);
}

// model: strsep
unsigned long __heddle_strcspn(const char *s, const char *reject);
char *__heddle_strsep(char **rest, const char *separators) {
    char *s = *rest;
    if (!s)
        return (char *)0;
    char *end = s + __heddle_strcspn(s, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = (char *)0;
    }
    return s;
}

// model: strdup
unsigned long __heddle_strlen(const char *s);
void *__heddle_malloc(unsigned long n);
void *__heddle_memcpy(void *to, const void *from, unsigned long n);
char *__heddle_strdup(const char *s) {
    unsigned long n = __heddle_strlen(s) + 1;
    char *copy = __heddle_malloc(n);
    if (copy)
        __heddle_memcpy(copy, s, n);
    return copy;
}

// model: strndup
unsigned long __heddle_strnlen(const char *s, unsigned long most);
void *__heddle_malloc(unsigned long n);
void *__heddle_memcpy(void *to, const void *from, unsigned long n);
char *__heddle_strndup(const char *s, unsigned long most) {
    unsigned long n = __heddle_strnlen(s, most);
    char *copy = __heddle_malloc(n + 1);
    if (copy) {
        __heddle_memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

// model: strerror
static char __heddle_strerror_text[] = "Error";
char *__heddle_strerror(int number) {
    return __heddle_strerror_text;
}

// model: ffs
int __heddle_ffs(int value) {
    unsigned int bits = (unsigned int)value;
    for (int i = 0; i < 32; i++)
        if ((bits >> i) & 1u)
            return i + 1;
    return 0;
}

// model: ffsl
int __heddle_ffsl(long value) {
    unsigned long bits = (unsigned long)value;
    for (int i = 0; i < (int)sizeof(long) * 8; i++)
        if ((bits >> i) & 1ul)
            return i + 1;
    return 0;
}

// model: ffsll
int __heddle_ffsll(long long value) {
    unsigned long long bits = (unsigned long long)value;
    for (int i = 0; i < 64; i++)
        if ((bits >> i) & 1ull)
            return i + 1;
    return 0;
}
