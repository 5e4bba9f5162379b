// TextCoding: the spellings of text that several wires share: percent-encoding and JSON strings.
//
// It leaves to its neighbours: what the text means, and whole documents. XML text stays with Clientless, Base 64 and
// hexadecimal digits with Cryptography.
