// BoxWords: what the box says to the viewer in front of it, in every language: the sentences in `locales/`, one file a
// language, embedded, and the language that a wish, a configuration or a locale asks for.
//
// Events and other output for programs are English, and so is what only operators read. It leaves to its neighbours: how
// sentences and their files are read (Phrases), when something is said and whether a terminal can show it (latchkey), and
// where the words of a pairing stand (TerminalQR).
