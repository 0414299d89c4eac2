// model: __tick
unsigned int __heddle_any_uint(void);
static long __heddle_ticks = 1600000000;
long __heddle___tick(void) {
    return __atomic_add_fetch(&__heddle_ticks, __heddle_any_uint() % 3u, 5);
}

// model: time
long __heddle___tick(void);
long __heddle_time(long *to) {
    long now = __heddle___tick();
    if (to)
        *to = now;
    return now;
}

// model: gettimeofday
long __heddle___tick(void);
int __heddle_gettimeofday(void *to, void *zone) {
    long *now = to;
    if (now) {
        now[0] = __heddle___tick();
        now[1] = 0;
    }
    return 0;
}

// model: clock_gettime
long __heddle___tick(void);
int __heddle_clock_gettime(int clock, void *to) {
    long *now = to;
    if (now) {
        now[0] = __heddle___tick();
        now[1] = 0;
    }
    return 0;
}

// model: timespec_get
long __heddle___tick(void);
int __heddle_timespec_get(void *to, int base) {
    long *now = to;
    now[0] = __heddle___tick();
    now[1] = 0;
    return base;
}

// model: localtime_r
unsigned int __heddle_any_uint(void);
long __heddle_any_long(void);
void *__heddle_localtime_r(const long *time, void *to) {
    struct date {
        int second, minute, hour, day, month, year, weekday, day_of_year, summer;
        long offset;
        const char *zone;
    };
    struct date *date = to;
    long given = *time;
    date->second = (int)(__heddle_any_uint() % 61u);
    date->minute = (int)(__heddle_any_uint() % 60u);
    date->hour = (int)(__heddle_any_uint() % 24u);
    date->day = (int)(__heddle_any_uint() % 31u) + 1;
    date->month = (int)(__heddle_any_uint() % 12u);
    date->year = (int)__heddle_any_uint();
    date->weekday = (int)(__heddle_any_uint() % 7u);
    date->day_of_year = (int)(__heddle_any_uint() % 366u);
    date->summer = (int)(__heddle_any_uint() % 3u) - 1;
    date->offset = __heddle_any_long();
    date->zone = "UTC";
    return to;
}

// model: localtime
void *__heddle_localtime_r(const long *time, void *to);
void *__heddle_localtime(const long *time) {
    static struct {
        int fields[9];
        long offset;
        const char *zone;
    } date;
    return __heddle_localtime_r(time, &date);
}

// model: ctime_r
char __heddle_any_char(void);
char *__heddle_ctime_r(const void *time, char *to) {
    for (int i = 0; i < 24; i++) {
        char c = __heddle_any_char();
        to[i] = c ? c : ' ';
    }
    to[24] = '\n';
    to[25] = 0;
    return to;
}

// model: ctime
char *__heddle_ctime_r(const void *time, char *to);
char *__heddle_ctime(const void *time) {
    static char text[26];
    return __heddle_ctime_r(time, text);
}

// model: strftime
_Bool __heddle_any_bool(void);
char __heddle_any_char(void);
unsigned long __heddle_strftime(char *to, unsigned long size, const char *format, const void *time) {
    unsigned long i = 0;
    if (size == 0)
        return 0;
    while (i < size - 1 && __heddle_any_bool()) {
        char c = __heddle_any_char();
        to[i] = c ? c : ' ';
        i++;
    }
    to[i] = 0;
    return i;
}

// model: strptime
_Bool __heddle_any_bool(void);
unsigned long __heddle_any_ulong(void);
unsigned long __heddle_strlen(const char *s);
void *__heddle_localtime_r(const long *time, void *to);
char *__heddle_strptime(const char *s, const char *format, void *to) {
    long time = 0;
    unsigned long n = __heddle_strlen(s) + 1;
    if (__heddle_any_bool())
        return (char *)0;
    __heddle_localtime_r(&time, to);
    return (char *)s + __heddle_any_ulong() % n;
}
