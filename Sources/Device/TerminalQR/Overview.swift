// TerminalQR: a QR code, the code in large letters and the words beside them, as a terminal of a known size and kind can
// show them. The only importer of CQRencode.
//
// It draws in black and white of its own, so that no theme can turn the code inside out, with the quiet zone that
// readers need on every side. It decides what fits, and writes nothing: it leaves to its neighbours what a terminal is
// (CommandLineTool looks, latchkey asks it), the words, and when to draw.
