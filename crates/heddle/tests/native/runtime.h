/* What generated programs are compiled with: the system's headers, a yield before each statement, counted blocks of the heap,
   inputs and functions without a body that a seed decides. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct program {
    int seed;
    int (*start)(int argc, char **argv);
};
extern const struct program programs[];
extern const int program_count;

void native_yield(void);
void native_assert(int holds);
void native_assume(int holds);
void reach_error(void) __attribute__((noreturn));
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void *native_malloc(size_t size);
void *native_calloc(size_t count, size_t size);
void *native_realloc(void *block, size_t size);
void native_free(void *block);
int missing_number(void);
void missing_fill(int *to, int count);
int missing_look(const int *at);
int missing_call(int (*function)(int), int value);

#ifndef RUNTIME
#define assert native_assert
#define __VERIFIER_assume native_assume
#define malloc native_malloc
#define calloc native_calloc
#define realloc native_realloc
#define free native_free
#endif
