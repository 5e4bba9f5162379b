// WebPages: the files of the second screen, embedded into the program that serves them.
