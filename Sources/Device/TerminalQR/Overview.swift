// TerminalQR: a QR code for a terminal, and whether it fits. The only importer of CQRencode.
//
// It leaves to its neighbours: what the code says, and when to draw.
