// TerminalQR: a QR code for a terminal, and whether it fits. The only importer of CQRencode.
//
// It draws in black and white of its own, so that no theme can turn the code inside out, with the quiet zone readers
// need. It leaves to its neighbours: what the code says, when to draw, and what to do where there is no room.
