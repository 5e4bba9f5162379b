// AccessEnabler: the device library. It pairs the box, keeps what it learnt, and asks for media tokens.
//
// It leaves to its neighbours: drawing the code (TerminalQR), talking to people (latchkey).
