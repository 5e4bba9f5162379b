// Phrases: the sentences of a language as a data file has them: placeholders, the forms for numbers that Unicode CLDR
// names, the writing direction; and which of several languages fits a wish.
//
// It leaves to its neighbours: the files themselves and where they are kept (WebPages, BoxWords), who wishes for which
// language (ServerAPI, latchkey), and how a sentence is put on a page or a screen.
