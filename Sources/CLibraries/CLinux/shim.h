#pragma once

#include <fcntl.h>
#include <linux/kd.h>
#include <linux/memfd.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <unistd.h>

// What Swift does not import: variadic functions, one inline function each, and what the C library shows only where
// everything of GNU is asked for.

/// Lets no other process of the user read the memory of this one, and no crash write it to a file. 0, or -1.
static inline int clinux_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// An empty file in memory without a name. Its descriptor, or -1 (memfd_create(2)).
static inline int clinux_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "latchkey", MFD_CLOEXEC);
}

/// Both ends of a pipe that block no caller and that no child inherits, not even one that starts at the same time
/// (pipe2(2)). 0, or -1.
static inline int clinux_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK);
}

/// The commit that the programs are built from, in hex: `-DLATCHKEY_COMMIT=…`, without quotes. Empty where the build is
/// not told.
static inline const char *clinux_commit(void) {
#ifdef LATCHKEY_COMMIT
#define CLINUX_TEXT_OF(word) #word
#define CLINUX_TEXT(word) CLINUX_TEXT_OF(word)
    return CLINUX_TEXT(LATCHKEY_COMMIT);
#else
    return "";
#endif
}

/// `struct ucred` of unix(7).
struct clinux_credentials {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// The process at the other end of a Unix socket when it connected (unix(7), SO_PEERCRED). 0, or -1.
static inline int clinux_peer(int socket, struct clinux_credentials *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

/// A descriptor of that process (SO_PEERPIDFD, Linux 6.5, which the headers of Debian 12 do not know), or -1.
static inline int clinux_peer_descriptor(int socket) {
    int descriptor = -1;
    socklen_t length = sizeof descriptor;
    return getsockopt(socket, SOL_SOCKET, 77, &descriptor, &length) == 0 ? descriptor : -1;
}

/// The keyboard mode of a Linux console (ioctl_console(2)); -1 of every other terminal.
static inline int clinux_keyboard_mode(int terminal) {
    int mode = -1;
    return ioctl(terminal, KDGKBMODE, &mode) == 0 ? mode : -1;
}

/// The characters that the font of a Linux console has, each with its place. The number of them, or -1 where there is no
/// such console or more of them than `limit`.
static inline int clinux_font_map(int terminal, struct unipair *map, unsigned short limit) {
    struct unimapdesc description = { limit, map };
    return ioctl(terminal, GIO_UNIMAP, &description) == 0 ? description.entry_ct : -1;
}
