// Nothing to call: the library stands in for functions of libc in a program that is started with it in LD_PRELOAD.
