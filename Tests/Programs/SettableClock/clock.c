// A wall clock that a test sets, for a program that is started with this library in LD_PRELOAD.
//
// LATCHKEY_TEST_CLOCK names a file of two numbers of eight bytes each, in this machine's byte order: by how many
// milliseconds the program's clock is ahead of the machine's; and, if it is not zero, the moment at which it stands
// still, in milliseconds since 1970. The file is mapped, so the clock moves the moment the test writes to it. Without
// that variable, and for any other clock than the wall clock, nothing is changed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile struct {
    int64_t ahead;
    int64_t stopped;
} *setting;

__attribute__((constructor)) static void find_setting(void)
{
    const char *path = getenv("LATCHKEY_TEST_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *setting, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) setting = page;
    close(file);
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
    // Built with a sanitizer this library cannot be loaded into a program that was not, and the sanitizer starts one, to
    // name the places it reports.
    unsetenv("LD_PRELOAD");
#endif
#endif
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result != 0 || !setting || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    int64_t stopped = setting->stopped;
    int64_t milliseconds = stopped ? stopped : now->tv_sec * 1000 + now->tv_nsec / 1000000 + setting->ahead;
    now->tv_sec = milliseconds / 1000;
    now->tv_nsec = milliseconds % 1000 * 1000000 + (stopped ? 0 : now->tv_nsec % 1000000);
    return 0;
}

time_t time(time_t *copy)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (copy) *copy = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}
