// MediaTokenVerifier: for playback back ends. Says whether a media token is genuine, current and for the asked
// resource (rest-v1 22.5).
//
// It leaves to its neighbours: keeping track of tokens already used.
