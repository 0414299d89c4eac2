// model: read
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
unsigned char __heddle_any_uchar(void);
long __heddle_read(int file, void *to, unsigned long n) {
    unsigned char *t = to;
    unsigned long i = 0;
    if (__heddle_any_bool())
        return __heddle_fails();
    while (i < n && __heddle_any_bool()) {
        t[i] = __heddle_any_uchar();
        i++;
    }
    return (long)i;
}

// model: write
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
unsigned long __heddle_any_ulong(void);
long __heddle_write(int file, const void *from, unsigned long n) {
    const unsigned char *f = from;
    unsigned char byte;
    if (__heddle_any_bool())
        return __heddle_fails();
    for (unsigned long i = 0; i < n; i++)
        byte = f[i];
    unsigned long written = __heddle_any_ulong();
    return (long)(written < n ? written : n);
}

// model: pipe
_Bool __heddle_any_bool(void);
int __heddle_fails(void);
unsigned int __heddle_any_uint(void);
int __heddle_pipe(int *ends) {
    if (__heddle_any_bool())
        return __heddle_fails();
    int first = (int)(__heddle_any_uint() & 2147483647u), second = (int)(__heddle_any_uint() & 2147483647u);
    ends[0] = first;
    ends[1] = first == second ? first ^ 1 : second;
    return 0;
}

// model: isatty
_Bool __heddle_any_bool(void);
int __heddle_isatty(int file) {
    return __heddle_any_bool();
}

// model: getpid
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
int __heddle_getpid(void) {
    static int number;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        number = (int)(__heddle_any_uint() & 2147483647u);
    chosen = 1;
    int result = number;
    __heddle___VERIFIER_atomic_end();
    return result ? result : 1;
}

// model: getppid
unsigned int __heddle_any_uint(void);
int __heddle_getpid(void);
int __heddle_getppid(void) {
    int number = (int)(__heddle_any_uint() & 2147483647u);
    return number == __heddle_getpid() ? 0 : number;
}

// model: getuid
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
unsigned int __heddle_getuid(void) {
    static unsigned int number;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        number = __heddle_any_uint();
    chosen = 1;
    unsigned int result = number;
    __heddle___VERIFIER_atomic_end();
    return result;
}

// model: geteuid
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
unsigned int __heddle_geteuid(void) {
    static unsigned int number;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        number = __heddle_any_uint();
    chosen = 1;
    unsigned int result = number;
    __heddle___VERIFIER_atomic_end();
    return result;
}

// model: getgid
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
unsigned int __heddle_getgid(void) {
    static unsigned int number;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        number = __heddle_any_uint();
    chosen = 1;
    unsigned int result = number;
    __heddle___VERIFIER_atomic_end();
    return result;
}

// model: getegid
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
unsigned int __heddle_getegid(void) {
    static unsigned int number;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        number = __heddle_any_uint();
    chosen = 1;
    unsigned int result = number;
    __heddle___VERIFIER_atomic_end();
    return result;
}

// model: getpagesize
unsigned int __heddle_any_uint(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
int __heddle_getpagesize(void) {
    static int size;
    static _Bool chosen;
    __heddle___VERIFIER_atomic_begin();
    if (!chosen)
        size = 4096 << (__heddle_any_uint() & 7u);
    chosen = 1;
    int result = size;
    __heddle___VERIFIER_atomic_end();
    return result;
}

// model: sysconf
long __heddle_any_long(void);
int __heddle_fails(void);
int __heddle_getpagesize(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
long __heddle_sysconf(int name) {
    static long values[256];
    static _Bool chosen[256];
    if (name < 0 || name > 255)
        return __heddle_fails();
    if (name == 30)
        return __heddle_getpagesize();
    __heddle___VERIFIER_atomic_begin();
    if (!chosen[name])
        values[name] = __heddle_any_long();
    chosen[name] = 1;
    long result = values[name];
    __heddle___VERIFIER_atomic_end();
    // There is at least one processor, and ticks are not empty.
    long least = name == 2 || name == 83 || name == 84;
    return result < least ? least - !least : result;
}

// model: sleep
_Bool __heddle_doubt(void);
unsigned int __heddle_any_uint(void);
unsigned int __heddle_sleep(unsigned int seconds) {
    if (!__heddle_doubt())
        return 0;
    unsigned int left = __heddle_any_uint();
    return left < seconds ? left : seconds;
}

// model: stat
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
long __heddle_any_long(void);
unsigned long __heddle_any_ulong(void);
int __heddle_fails(void);
static long __heddle_any_size(void) {
    long size = __heddle_any_long();
    return size < 0 ? 0 : size;
}
static unsigned int __heddle_any_mode(void) {
    unsigned int kind = __heddle_any_uint() % 7u, rest = __heddle_any_uint() & 07777u;
    return rest | (kind == 0   ? 0100000u
                   : kind == 1 ? 0040000u
                   : kind == 2 ? 0020000u
                   : kind == 3 ? 0060000u
                   : kind == 4 ? 0010000u
                   : kind == 5 ? 0120000u
                               : 0140000u);
}
static void __heddle_any_times(long *times) {
    for (int i = 0; i < 6; i += 2) {
        times[i] = __heddle_any_long();
        times[i + 1] = (long)(__heddle_any_uint() % 1000000000u);
    }
}
struct __heddle_stat64 {
    unsigned long device, node, links;
    unsigned int mode, user, group, padding;
    unsigned long special;
    long size, block, blocks, times[6], reserved[3];
};
struct __heddle_stat32 {
    unsigned int device[2], padding, node, mode, links, user, group, special[2], more_padding;
    long size, block, blocks, times[6];
    unsigned long reserved[2];
};
int __heddle_stat(const char *path, void *to) {
    if (__heddle_any_bool())
        return __heddle_fails();
    if (sizeof(long) == 8) {
        struct __heddle_stat64 *file = to;
        file->device = __heddle_any_ulong();
        file->node = __heddle_any_ulong();
        file->links = __heddle_any_ulong();
        file->mode = __heddle_any_mode();
        file->user = __heddle_any_uint();
        file->group = __heddle_any_uint();
        file->special = __heddle_any_ulong();
        file->size = __heddle_any_size();
        file->block = (long)(__heddle_any_uint() | 1u);
        file->blocks = __heddle_any_size();
        __heddle_any_times(file->times);
    } else {
        struct __heddle_stat32 *file = to;
        file->device[0] = __heddle_any_uint();
        file->device[1] = __heddle_any_uint();
        file->node = __heddle_any_uint();
        file->mode = __heddle_any_mode();
        file->links = __heddle_any_uint();
        file->user = __heddle_any_uint();
        file->group = __heddle_any_uint();
        file->special[0] = __heddle_any_uint();
        file->special[1] = __heddle_any_uint();
        file->size = __heddle_any_size();
        file->block = (long)(__heddle_any_uint() >> 1 | 1u);
        file->blocks = __heddle_any_size();
        __heddle_any_times(file->times);
    }
    return 0;
}

// model: poll
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
int __heddle_fails(void);
int __heddle_poll(void *to, unsigned long count, int timeout) {
    struct {
        int file;
        short requested, seen;
    } *files = to;
    int ready = 0;
    if (__heddle_any_bool())
        return __heddle_fails();
    for (unsigned long i = 0; i < count; i++) {
        int file = files[i].file;
        unsigned int allowed = (unsigned short)files[i].requested | 070u;
        unsigned int seen = file < 0 ? 0u : __heddle_any_uint() & allowed;
        files[i].seen = (short)seen;
        ready += seen != 0u;
    }
    return ready == 0 && timeout < 0 ? __heddle_fails() : ready;
}

// model: select
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
unsigned long __heddle_any_ulong(void);
int __heddle_fails(void);
static int __heddle_part(int count, unsigned long *set) {
    int found = 0;
    const int bits = (int)(8 * sizeof(long));
    if (set)
        for (int i = 0; i * bits < count; i++) {
            unsigned long kept = set[i] & __heddle_any_ulong();
            set[i] = kept;
            found += __builtin_popcountl(kept);
        }
    return found;
}
int __heddle_select(int count, void *read, void *write, void *other, void *timeout) {
    long *left = timeout;
    if (count < 0 || count > 1024 || __heddle_any_bool())
        return __heddle_fails();
    int found = __heddle_part(count, read) + __heddle_part(count, write) + __heddle_part(count, other);
    if (found == 0 && !left)
        return __heddle_fails();
    if (left && __heddle_any_bool()) {
        unsigned long seconds = __heddle_any_ulong(), most = (unsigned long)left[0];
        left[0] = (long)(seconds < most ? seconds : most);
        left[1] = (long)(__heddle_any_uint() % 1000000u);
    }
    return found;
}
