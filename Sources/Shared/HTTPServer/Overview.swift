// HTTPServer: listener, limits, request parsing, routing, immediate and held responses, over libmicrohttpd. The
// only importer of CMicrohttpd.
//
// It has never heard of pairing. Which routes exist, who may call them and what they say is ServerAPI's.
