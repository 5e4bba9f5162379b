// AccessEnabler: the device library. It keeps the calls, callbacks, events and rules of the original library, and
// speaks to an entitlement server (SDK services, and REST v1 for what those leave to it).
//
// A call becomes a letter in one `Mailbox`; the actor takes the letters in order, keeps entitlement calls back until a
// configuration is in force, and lets what needs a server run beside the mailbox (Engine). Values decide:
// `AuthenticationFlow` what a login does next, `TokenJudge` which tokens count, `RequestorConfiguration` how servers'
// answers are put together, `PollingSchedule` when to ask. `EventDelivery` delivers every event to delegates and
// subscribers, one after the other. `TokenVault` holds the store's image; a `TokenStore` keeps its bytes.
//
// Module and actor have one name, so `AccessEnabler.X` is looked up in the actor. That is harmless because every public
// name that an application could have for something else is nested there; at the top level stand names of the trade
// alone (MVPD, AdvancedStatus, Entitlement…, Preauthorize…, PlatformSSO…, TvProvider…). Types that only the package
// sees need not nest.
//
// It leaves to its neighbours: drawing the code (TerminalQR), words for viewers, and the environment (latchkey).
