// Clientless: the words both ends of the wire say. Identifiers, codes, time, client information, the signed request,
// software statements, access tokens and token documents, each as a value with one reader and one writer.
//
// It leaves to its neighbours: cryptographic primitives (Cryptography), carrying bytes (HTTPServer, HTTPClient),
// and every decision (Entitlement).
