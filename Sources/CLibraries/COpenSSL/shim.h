#pragma once

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// What Swift does not import: variadic functions and macros, one inline function each.

/// A new RSA key pair, or NULL. EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *copenssl_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

/// A new key pair on the curve P-256, or NULL. EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *copenssl_generate_p256(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

/// The bytes a memory BIO holds; they belong to the BIO. BIO_get_mem_data is a macro.
static inline long copenssl_bio_bytes(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

static inline int copenssl_no_passphrase(char *buffer, int size, int writing, void *context) {
    (void)buffer; (void)size; (void)writing; (void)context;
    return -1;
}

/// The private key of a PEM text, or NULL. An encrypted key is refused: without a callback of our own the library
/// would ask the terminal for the pass phrase (PEM_read_bio_PrivateKey(3)).
static inline EVP_PKEY *copenssl_read_private_pem(BIO *bio) {
    return PEM_read_bio_PrivateKey(bio, NULL, copenssl_no_passphrase, NULL);
}

/// The public key of a PEM text, or NULL.
static inline EVP_PKEY *copenssl_read_public_pem(BIO *bio) {
    return PEM_read_bio_PUBKEY(bio, NULL, copenssl_no_passphrase, NULL);
}

/// The public key that is all of `count` bytes of DER, or NULL. d2i_PUBKEY moves the pointer it is given to what it left.
static inline EVP_PKEY *copenssl_read_public_der(const unsigned char *bytes, size_t count) {
    const unsigned char *next = bytes;
    EVP_PKEY *key = bytes == NULL || count > 65536 ? NULL : d2i_PUBKEY(NULL, &next, (long)count);
    if (key != NULL && next != bytes + count) {
        EVP_PKEY_free(key);
        return NULL;
    }
    return key;
}

/// The certificate of a PEM text, or NULL.
static inline X509 *copenssl_read_certificate_pem(BIO *bio) {
    return PEM_read_bio_X509(bio, NULL, copenssl_no_passphrase, NULL);
}

static inline int copenssl_error_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int copenssl_error_reason(unsigned long code) { return ERR_GET_REASON(code); }
