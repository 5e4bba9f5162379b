// Entitlement: the domain. Registration codes, login attempts, AuthN records, AuthZ decisions, trials, degradation
// rules, token documents and limits on guessing, as values that decide and one owner that acts. It declares what a
// store, a provider and a reader of platform assertions must be able to do.
//
// It imports no C module, no HTTP, no SQL and no clock: time and randomness are parameters. Faces (ServerAPI)
// translate between the wire and this domain; Stores keep its records; Providers answer for TV providers.
