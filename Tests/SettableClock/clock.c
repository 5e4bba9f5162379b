// A wall clock that a test sets, for a program that is started with this library in LD_PRELOAD.
//
// LATCHKEY_TEST_CLOCK names a file of eight bytes: by how many milliseconds the program's clock is ahead of the
// machine's, as a number of this machine's byte order. The file is mapped, so the clock moves the moment the test
// writes to it. Without that variable, or for any other clock than the wall clock, nothing is changed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void find_offset(void)
{
    const char *path = getenv("LATCHKEY_TEST_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t ahead = *offset;
        int64_t nanoseconds = now->tv_nsec + ahead % 1000 * 1000000;
        now->tv_sec += ahead / 1000;
        if (nanoseconds < 0) {
            nanoseconds += 1000000000;
            now->tv_sec -= 1;
        } else if (nanoseconds >= 1000000000) {
            nanoseconds -= 1000000000;
            now->tv_sec += 1;
        }
        now->tv_nsec = nanoseconds;
    }
    return result;
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
