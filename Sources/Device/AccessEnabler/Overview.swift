// AccessEnabler: the device library. It pairs the box, keeps what it learnt, and asks for media tokens.
//
// So far: second-screen sign-in, authorization with media token, and logout over REST v1. `PollingSchedule` decides
// when to ask, `AccessEnabler` acts, an `EntitlementBackend` speaks to the server, and `StateStore` keeps one file.
//
// It leaves to its neighbours: drawing the code (TerminalQR), talking to people, and the environment (latchkey).
