// Cryptography: secrets, HMAC, digests, RSA and EC signatures, authenticated encryption, random bytes, constant-time
// comparison and text encodings, over OpenSSL's libcrypto. The only importer of COpenSSL.
//
// It leaves to its neighbours: what is signed and why (Clientless, Entitlement), and where keys are kept
// (latchkeyd).
