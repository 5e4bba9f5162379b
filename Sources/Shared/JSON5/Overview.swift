// JSON5: configuration files of both programs: any value of a text, where each stands, and where the text is broken.
//
// It leaves to its neighbours: which settings there are and what they may say (latchkeyd, latchkey).
