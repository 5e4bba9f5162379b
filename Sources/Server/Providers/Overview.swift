// Providers: the kinds of TV provider behind Entitlement's Provider protocol. Here so far: local accounts, with
// passwords hashed by yescrypt through libcrypt. The only importer of CCrypt.
//
// It leaves to its neighbours: the pages people see (ServerAPI), and when to ask (Entitlement).
