// TerminalQR: a QR code as characters or a picture. The only importer of CQRencode.
//
// It draws in black and white of its own, so that no theme can turn the code inside out, with the quiet zone that
// readers need on every side. It writes nothing. It leaves to its neighbours what a terminal is (CommandLineTool looks,
// latchkey asks it), and what stands beside the code and when (latchkey, latchkeyd).
