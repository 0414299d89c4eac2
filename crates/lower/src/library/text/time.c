// model: __tick
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
long __heddle_any_long(void);
void __heddle___VERIFIER_atomic_begin(void);
void __heddle___VERIFIER_atomic_end(void);
// Three clocks: real time, time that is never set, and the coarse one of `time`.
static unsigned long __heddle_seconds[3];
static unsigned int __heddle_nanoseconds[3];
static _Bool __heddle_clock_runs[3];
long __heddle___tick(int clock, unsigned int step, long *fraction) {
    const unsigned long last = (unsigned long)-1 >> 1;
    unsigned long seconds = 0;
    unsigned int part = __heddle_any_uint() % (1000000000u / step) * step;
    __heddle___VERIFIER_atomic_begin();
    if (__heddle_clock_runs[clock]) {
        seconds = __heddle_seconds[clock] + __heddle_any_uint();
        if (seconds > last)
            seconds = __heddle_seconds[clock];
        if (seconds == __heddle_seconds[clock] && part < __heddle_nanoseconds[clock]) {
            if (seconds < last)
                seconds = seconds + 1;
            else
                part = __heddle_nanoseconds[clock];
        }
    } else {
        long first = __heddle_any_long();
        seconds = (unsigned long)(first < 0 ? 0 : first);
    }
    __heddle_clock_runs[clock] = 1;
    __heddle_seconds[clock] = seconds;
    __heddle_nanoseconds[clock] = part;
    __heddle___VERIFIER_atomic_end();
    if (fraction)
        *fraction = (long)(part / step);
    return (long)seconds;
}

// model: time
long __heddle___tick(int clock, unsigned int step, long *fraction);
long __heddle_time(long *to) {
    long now = __heddle___tick(2, 1000000000u, (long *)0);
    if (to)
        *to = now;
    return now;
}

// model: gettimeofday
long __heddle___tick(int clock, unsigned int step, long *fraction);
int __heddle_gettimeofday(void *to, void *zone) {
    long *now = to, fraction;
    now[0] = __heddle___tick(0, 1000u, &fraction);
    now[1] = fraction;
    return 0;
}

// model: clock_gettime
_Bool __heddle_any_bool(void);
_Bool __heddle_imprecise(void);
unsigned int __heddle_any_uint(void);
long __heddle_any_long(void);
int __heddle_fails(void);
long __heddle___tick(int clock, unsigned int step, long *fraction);
int __heddle_clock_gettime(int clock, void *to) {
    long *now = to, fraction;
    if ((clock < 0 || clock > 11) && __heddle_any_bool())
        return __heddle_fails();
    if (clock != 0 && clock != 1) {
        __heddle_imprecise();
        long seconds = __heddle_any_long();
        now[0] = seconds < 0 ? 0 : seconds;
        now[1] = (long)(__heddle_any_uint() % 1000000000u);
        return 0;
    }
    now[0] = __heddle___tick(clock, 1u, &fraction);
    now[1] = fraction;
    return 0;
}

// model: clock_getres
int __heddle_clock_gettime(int clock, void *to);
int __heddle_clock_getres(int clock, void *to) {
    long unwanted[2];
    return __heddle_clock_gettime(clock, to ? to : unwanted);
}

// model: timespec_get
long __heddle___tick(int clock, unsigned int step, long *fraction);
int __heddle_timespec_get(void *to, int base) {
    long *now = to, fraction;
    if (base != 1)
        return 0;
    now[0] = __heddle___tick(0, 1u, &fraction);
    now[1] = fraction;
    return base;
}

// model: clock
_Bool __heddle_imprecise(void);
long __heddle_any_long(void);
long __heddle_clock(void) {
    __heddle_imprecise();
    long used = __heddle_any_long();
    return used < 0 ? -1 : used;
}

// model: clock_nanosleep
_Bool __heddle_doubt(void);
int __heddle_clock_nanosleep(int clock, int flags, const void *request, void *remain) {
    return __heddle_doubt() ? 4 : 0;
}

// model: localtime_r
_Bool __heddle_any_bool(void);
unsigned int __heddle_any_uint(void);
long __heddle_any_long(void);
void *__heddle_localtime_r(const long *time, void *to) {
    if (__heddle_any_bool())
        return (void *)0;
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

// model: mktime
long __heddle_any_long(void);
void *__heddle_localtime_r(const long *time, void *to);
long __heddle_mktime(void *date) {
    int *fields = date, read;
    long time = __heddle_any_long();
    for (int i = 0; i < 6; i++)
        read = fields[i];
    read = fields[8];
    __heddle_localtime_r(&time, date);
    return time;
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
_Bool __heddle_any_bool(void);
char __heddle_any_char(void);
char *__heddle_ctime_r(const void *time, char *to) {
    if (__heddle_any_bool())
        return (char *)0;
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
