/* Runs programs, each in a process of its own, under many schedules.
 *
 *   BINARY SEEDS TIMEOUT_MS    for each run: "program seed kind number length-of-output length-of-errors", then both texts
 */
#define RUNTIME
#include "runtime.h"
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { FAILED = 77, ASSUMED = 78, NOT_FREED = 79, MOST_TEXT = 6000 };

static uint64_t run_seed;
static int thread_count;
static long blocks;
static _Thread_local uint64_t state;

/* Nothing here may order the threads of a program: only relaxed atomics. */
static unsigned draw(unsigned below)
{
    if (!state) {
        uint64_t thread = __atomic_add_fetch(&thread_count, 1, __ATOMIC_RELAXED);
        state = (run_seed * 1000003 + thread) * 0x9e3779b97f4a7c15u | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 20) % below;
}

/* Statements take effect in their order, for other threads, too. */
void native_yield(void)
{
    __asm__ volatile("mfence" ::: "memory");
    /* Some runs have few yields, some many. */
    unsigned rare = 2 + run_seed % 4 * 4;
    if (draw(rare) == 0)
        sched_yield();
    if (draw(rare * 4) == 0)
        usleep(1 + draw(60));
}

void reach_error(void) { _exit(FAILED); }
void native_assert(int holds) { if (!holds) _exit(FAILED); }
void native_assume(int holds) { if (!holds) _exit(ASSUMED); }
int __VERIFIER_nondet_int(void) { static const int inputs[] = { 0, 1, -2 }; return inputs[draw(3)]; }
_Bool __VERIFIER_nondet_bool(void) { return draw(2); }

static void count(long by) { __atomic_add_fetch(&blocks, by, __ATOMIC_RELAXED); }

void *native_malloc(size_t size) { count(1); return malloc(size); }
void *native_calloc(size_t n, size_t size) { count(1); return calloc(n, size); }
void *native_realloc(void *block, size_t size) { if (!block) count(1); return realloc(block, size); }
void native_free(void *block) { if (block) count(-1); free(block); }

int missing_number(void) { return (int)draw(5) - 1; }

void missing_fill(int *to, int n)
{
    for (int i = 0; i < n; i++)
        if (draw(3))
            to[i] = draw(4) ? 5 : (int)draw(9) - 4;
}

int missing_look(const int *at) { return draw(2) ? *at : 4; }

int missing_call(int (*function)(int), int value)
{
    int result = 3;
    for (unsigned i = draw(3); i > 0; i--)
        result = function(value);
    return result;
}

static void start(const struct program *program, int out, int errors)
{
    static char *const words[] = { "a", "12", "ab", "", "-2" };
    char *argv[4] = { "program" };
    dup2(out, 1);
    dup2(errors, 2);
    int argc = 1 + draw(3);
    for (int i = 1; i < argc; i++)
        argv[i] = words[draw(5)];
    program->start(argc, argv);
    fflush(stdout);
    _exit(__atomic_load_n(&blocks, __ATOMIC_RELAXED) ? NOT_FREED : 0);
}

static long text(int file, char *buffer)
{
    long length = pread(file, buffer, MOST_TEXT, 0);
    return length < 0 ? 0 : length;
}

/* Ends a child that takes too long. An alarm of its own would not do: a sanitizer's threads may be all that is left of it. */
static int wait_for(pid_t child, int timeout, int *status)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (waitpid(child, status, WNOHANG) == 0) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 > timeout) {
            kill(child, SIGKILL);
            waitpid(child, status, 0);
            return 0;
        }
        usleep(200);
    }
    return 1;
}

/* Did it end in time? */
static int run(const struct program *program, int seed, int timeout)
{
    static char output[MOST_TEXT], errors[MOST_TEXT];
    int out = memfd_create("out", 0), err = memfd_create("err", 0), status;
    run_seed = seed;
    pid_t child = fork();
    if (child == 0)
        start(program, out, err);
    int in_time = wait_for(child, timeout, &status);
    long length = text(out, output), more = text(err, errors);
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    printf("%d %d %s %d %ld %ld\n", program->seed, seed, signal ? "signal" : "exit", signal ? signal : WEXITSTATUS(status), length, more);
    fwrite(output, 1, length, stdout);
    fwrite(errors, 1, more, stdout);
    fflush(stdout);
    close(out);
    close(err);
    return in_time;
}

int main(int argc __attribute__((unused)), char **argv)
{
    int seeds = atoi(argv[1]), timeout = atoi(argv[2]);
    for (int i = 0; i < program_count; i++)
        for (int seed = 1; seed <= seeds; seed++)
            if (!run(&programs[i], seed, timeout))
                break;
}
