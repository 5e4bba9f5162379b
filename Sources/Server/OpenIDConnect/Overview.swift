// OpenIDConnect: the relying party (OpenID Connect Core, Discovery and the three logouts; RFC 6749, 7636, 8414, 9126, 9207).
// Values hold the rules; `OpenIDConnectClient` talks to one provider over an `ProviderTransport`. Signatures are
// verified by cjose (JOSE/). The only importer of CCjose.
//
// It leaves to its neighbours: who signs in where, what is kept and for how long (Entitlement), the pages and callbacks
// (ServerAPI), what claims mean (ClaimsMapping). It keeps no login: what a login needs until it comes back is
// `AuthorizationAttempt`, what a sign-in needs later is `ProviderTokens`; the caller keeps both sealed.
//
// Left out on purpose: encrypted ID tokens, implicit and hybrid flows, request objects (RFC 9101), EdDSA (cjose 0.6 has
// no such keys). A provider that insists on one of them is refused with a fault that names it.
