// Providers: the kinds of TV provider behind Entitlement's Provider protocol, and the proof that a device's operating
// system brings from one. Here so far: local accounts, with passwords hashed by yescrypt through libcrypt; and platform
// SSO (Platform/), whose SAML assertions are verified by lasso (Lasso/). The only importer of CCrypt and CLasso.
//
// It leaves to its neighbours: the pages people see (ServerAPI); when to ask, and that an assertion counts once
// (Entitlement).
