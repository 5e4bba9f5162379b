// ClaimsMapping: what a provider says of a viewer – claims of OpenID Connect, attributes of SAML – becomes what requestors
// may be told (rest-v1 19, access-enabler 13). Rules are data: pick, rename, constant, hash, pattern. Values only: no
// clock, no store, no network. Patterns run on PCRE2 with a bounded cost (Patterns/). The only importer of CPCRE2.
//
// It leaves to its neighbours: reading the rules from the configuration (latchkeyd), and encrypting for programmers
// (ServerAPI).
