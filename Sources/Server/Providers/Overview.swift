// Providers: the kinds of TV provider behind Entitlement's Provider protocol, and the proof that a device's operating
// system brings from one. Here so far: local accounts, with passwords hashed by yescrypt through libcrypt; OpenID Connect
// (OpenIDConnect/), which joins its client to the protocol; platform SSO (Platform/), whose SAML assertions are verified by
// lasso (Lasso/); and SAML 2.0 (SAML/), whose answers and logouts are verified in the same way. Messages of ours are written
// in canonical form, so that signing them needs no library (SAML/Messages/CanonicalElement.swift). The only importer of
// CCrypt and CLasso.
//
// It leaves to its neighbours: the pages people see (ServerAPI); when to ask, and that an assertion counts once
// (Entitlement).
//
// Messages are read by our own reader, also what was encrypted in them, and lasso verifies what that wrote
// (Platform/SAMLDocument.swift). Least version of lasso: 2.8.1-1+deb12u1, the first of Debian 12 without CVE-2025-46404,
// CVE-2025-46705 and CVE-2025-47151.
