// TerminalQR: a QR code for a terminal, and whether it fits. The only importer of CQRencode.
//
// It draws in black and white of its own, so that no theme can turn the code inside out, with the quiet zone readers
// need. It leaves to its neighbours: the text of the code, when to draw, and the message where there is no room.
