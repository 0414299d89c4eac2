/* Appended to the texts of all models: the same calls to the model and to the C library must have the same effect. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

_Bool __heddle_any_bool(void) { return rand() & 1; }
char __heddle_any_char(void) { return rand(); }
unsigned char __heddle_any_uchar(void) { return rand(); }
unsigned char __heddle___VERIFIER_nondet_uchar(void) { return rand(); }
unsigned int __heddle_any_uint(void) { return rand(); }
double __heddle_any_double(void) { return rand(); }
long __heddle_any_long(void) { return rand(); }
unsigned long __heddle_any_ulong(void) { return rand(); }
void *__heddle_malloc(unsigned long n) { return malloc(n); }
char *__heddle_any_string(void) { return 0; }
_Bool __heddle_imprecise(void) { return 0; }
int __heddle_fails(void) { return -1; }
void __heddle_may_fail(void) {}
_Bool __heddle_doubt(void) { return 0; }
void __heddle___VERIFIER_atomic_begin(void) {}
void __heddle___VERIFIER_atomic_end(void) {}
int __heddle_fprintf(void *stream, const char *format, ...) { return 0; }

extern void *memmem(const void *, size_t, const void *, size_t);
extern void *memrchr(const void *, int, size_t);
extern void *mempcpy(void *, const void *, size_t);
extern void *rawmemchr(const void *, int);
extern char *strchrnul(const char *, int);
extern char *strcasestr(const char *, const char *);
extern int ffsl(long), ffsll(long long);

static int failures;
#define SAME(name, model, library)                                                                                     \
    do {                                                                                                               \
        if ((model) != (library) && failures++ < 20)                                                                   \
            printf("%s differs on \"%s\" \"%s\" %lu\n", name, a, b, n);                                                \
    } while (0)
#define VALUE(name, ...) SAME(#name, __heddle_##name(__VA_ARGS__), name(__VA_ARGS__))
#define sign(x) (((x) > 0) - ((x) < 0))
#define ORDER(name, ...) SAME(#name, sign(__heddle_##name(__VA_ARGS__)), sign(name(__VA_ARGS__)))
#define TRUTH(name, ...) SAME(#name, !__heddle_##name(__VA_ARGS__), !name(__VA_ARGS__))
/* A function that writes: into one of two equal buffers each. */
#define EFFECT(name, ...)                                                                                              \
    do {                                                                                                               \
        char one[64], two[64], *to = one;                                                                              \
        memset(one, 'x', 64);                                                                                          \
        strcpy(one, start);                                                                                            \
        memcpy(two, one, 64);                                                                                          \
        long m = offset(__heddle_##name(__VA_ARGS__), one);                                                             \
        to = two;                                                                                                      \
        long l = offset(name(__VA_ARGS__), two);                                                                        \
        SAME(#name, m, l);                                                                                             \
        SAME(#name " (effect)", memcmp(one, two, 64), 0);                                                              \
    } while (0)

static long offset(const void *p, const char *base) { return p ? (const char *)p - base : -1; }

static void random_string(char *to, const char *alphabet, int most) {
    int length = rand() % (most + 1);
    for (int i = 0; i < length; i++)
        to[i] = alphabet[rand() % strlen(alphabet)];
    to[length] = 0;
}

static void strings(void) {
    char a[16], b[16], start[16];
    random_string(a, "abAB \xe4", 8);
    random_string(b, "abAB", 3);
    random_string(start, "xy", 4);
    unsigned long n = rand() % 9;
    int c = "abA \xe4"[rand() % 6];
    VALUE(strlen, a);
    VALUE(strnlen, a, n);
    ORDER(strcmp, a, b);
    ORDER(strcoll, a, b);
    ORDER(strncmp, a, b, n);
    ORDER(strcasecmp, a, b);
    ORDER(strncasecmp, a, b, n);
    ORDER(memcmp, a, b, n < strlen(b) ? n : strlen(b));
    VALUE(strchr, a, c);
    VALUE(strchrnul, a, c);
    VALUE(strrchr, a, c);
    VALUE(memchr, a, c, n < strlen(a) ? n : strlen(a));
    VALUE(memrchr, a, c, strlen(a));
    VALUE(rawmemchr, a, 0);
    VALUE(memmem, a, strlen(a), b, strlen(b));
    VALUE(strstr, a, b);
    VALUE(strcasestr, a, b);
    VALUE(strspn, a, b);
    VALUE(strcspn, a, b);
    VALUE(strpbrk, a, b);
    EFFECT(strcpy, to, a);
    EFFECT(strncpy, to, a, n);
    EFFECT(stpcpy, to, a);
    EFFECT(stpncpy, to, a, n);
    EFFECT(strcat, to, a);
    EFFECT(strncat, to, a, n);
    EFFECT(memcpy, to, a, n);
    EFFECT(mempcpy, to, a, n);
    EFFECT(memccpy, to, a, c, n);
    EFFECT(memset, to, c, n);
    EFFECT(memmove, to + n, to + 3, 20);
    EFFECT(strtok, to, b);
    EFFECT(strtok, (to = strcpy(to, a), to), b);
    char *copy = __heddle_strdup(a), *part = __heddle_strndup(a, n);
    SAME("strdup", strcmp(copy, a), 0);
    SAME("strndup", strncmp(part, a, n) == 0 && strlen(part) == strnlen(a, n), 1);
    free(copy);
    free(part);
}

static void tokens(void) {
    char a[16], one[16], two[16], *rest_one, *rest_two;
    const char *b = "a ";
    unsigned long n = 0;
    random_string(a, "ab c", 10);
    strcpy(one, a);
    strcpy(two, a);
    char *p = __heddle_strtok_r(one, b, &rest_one), *q = strtok_r(two, b, &rest_two);
    while (p && q) {
        SAME("strtok_r", p - one, q - two);
        p = __heddle_strtok_r((char *)0, b, &rest_one);
        q = strtok_r((char *)0, b, &rest_two);
    }
    SAME("strtok_r (end)", !p, !q);
    rest_one = strcpy(one, a);
    rest_two = strcpy(two, a);
    do {
        p = __heddle_strsep(&rest_one, b);
        q = strsep(&rest_two, b);
        SAME("strsep", offset(p, one), offset(q, two));
    } while (p && q);
    SAME("strsep (effect)", memcmp(one, two, strlen(a) + 1), 0);
}

static void numbers(void) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    char a[32], *end_one, *end_two;
    const char *b = "";
    random_string(a, rand() & 1 ? " 0123456789" : "-+0xX19afz", rand() & 1 ? 25 : 6);
    unsigned long n = bases[rand() % 6];
#define CONVERT(name)                                                                                                  \
    do {                                                                                                               \
        *__heddle___errno_location() = errno = 0;                                                                      \
        SAME(#name, __heddle_##name(a, &end_one, n), name(a, &end_two, n));                                            \
        SAME(#name " (end)", end_one, end_two);                                                                        \
        SAME(#name " (errno)", *__heddle___errno_location() == 34, errno == ERANGE);                                   \
    } while (0)
    CONVERT(strtol);
    CONVERT(strtoul);
    CONVERT(strtoll);
    CONVERT(strtoull);
    if (strlen(a) < 9) {
        VALUE(atoi, a);
        VALUE(atol, a);
        VALUE(atoll, a);
    }
    int i = rand() - rand(), shift = rand() % 32;
    VALUE(abs, i);
    VALUE(labs, i);
    VALUE(llabs, i);
    VALUE(ffs, i << shift);
    VALUE(ffsl, (long)i << shift);
    VALUE(ffsll, (long long)i << shift);
}

static int by_value(const void *left, const void *right) { return *(const short *)left - *(const short *)right; }

static void sorting(void) {
    short one[8], two[8];
    const char *a = "", *b = "";
    unsigned long n = rand() % 9;
    for (int i = 0; i < 8; i++)
        one[i] = two[i] = rand() % 10;
    __heddle_qsort(one, n, sizeof *one, by_value);
    qsort(two, n, sizeof *two, by_value);
    SAME("qsort", memcmp(one, two, sizeof one), 0);
    short key = rand() % 10;
    short *found = __heddle_bsearch(&key, one, n, sizeof *one, by_value);
    SAME("bsearch", found ? *found : -1, bsearch(&key, one, n, sizeof *one, by_value) ? key : -1);
}

static void characters(void) {
    const char *a = "", *b = "";
    for (int n = -128; n < 256; n++) {
        SAME("ctype_b", (*__heddle___ctype_b_loc())[n], (*__ctype_b_loc())[n]);
        SAME("ctype_tolower", (*__heddle___ctype_tolower_loc())[n], (*__ctype_tolower_loc())[n]);
        SAME("ctype_toupper", (*__heddle___ctype_toupper_loc())[n], (*__ctype_toupper_loc())[n]);
        if (n < -1)
            continue;
        TRUTH(isalnum, n); TRUTH(isalpha, n); TRUTH(isascii, n); TRUTH(isblank, n); TRUTH(iscntrl, n); TRUTH(isdigit, n);
        TRUTH(isgraph, n); TRUTH(islower, n); TRUTH(isprint, n); TRUTH(ispunct, n); TRUTH(isspace, n); TRUTH(isupper, n);
        TRUTH(isxdigit, n); VALUE(toascii, n); VALUE(tolower, n); VALUE(toupper, n);
    }
}

int main(void) {
    characters();
    for (int i = 0; i < 20000; i++) {
        strings();
        tokens();
        numbers();
        sorting();
    }
    return failures != 0;
}
