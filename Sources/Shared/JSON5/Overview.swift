// JSON5: configuration files of both programs: any value of a text, where each stands and where the text is broken; and a
// reader of settings. Each is told once, with its default, what it takes and what it is for: from that come the faults, the
// commented file and the manual page.
//
// It leaves to its neighbours: which settings there are and what they may say (latchkeyd, latchkey).
