// Threads that end together with the program, for one that is started with this library in LD_PRELOAD.
//
// With LATCHKEY_TEST_LATE_THREADS a thread gives back what libcrypto keeps for it only when the program's exit handlers are
// through, as one does that the kernel holds up there. Without that variable nothing is changed. Nor with the thread
// sanitizer, which makes keys before it takes a call of such a function.
#if !__has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const useconds_t millisecond = 1000;
static atomic_bool is_down;
static void (*give_back)(void *);

static bool is_wanted(void) { return getenv("LATCHKEY_TEST_LATE_THREADS") != NULL; }

static void be_down(void)
{
    is_down = true;
    usleep(300 * millisecond);
}

// Registered before libcrypto's exit handler, and so called after it.
__attribute__((constructor)) static void begin(void)
{
    if (is_wanted()) atexit(be_down);
}

static void give_back_late(void *value)
{
    for (int i = 0; i < 5000 && !is_down; i++) usleep(millisecond);
    give_back(value);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    int (*create)(pthread_key_t *, void (*)(void *)) = dlsym(RTLD_NEXT, "pthread_key_create");
    Dl_info place;
    if (is_wanted() && !give_back && dladdr((void *)destructor, &place) && strstr(place.dli_fname, "/libcrypto.")) {
        give_back = destructor;
        destructor = give_back_late;
    }
    return create(key, destructor);
}

// A thread that is about to end is there first.
void exit(int code)
{
    void (*leave)(int) __attribute__((noreturn)) = dlsym(RTLD_NEXT, "exit");
    if (is_wanted()) usleep(100 * millisecond);
    leave(code);
}
#endif
