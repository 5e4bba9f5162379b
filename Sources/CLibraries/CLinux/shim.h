#pragma once

#include <linux/kd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

// What Swift does not import: variadic functions, one inline function each.

/// Lets no other process of the user read the memory of this one, and no crash write it to a file. 0, or -1.
static inline int clinux_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
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
