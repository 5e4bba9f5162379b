import COpenSSL

package enum Libcrypto {
    /// Keeps libcrypto in order until the process is gone. A program calls this first.
    ///
    /// By default an exit handler takes libcrypto down, with all that it keeps for each thread. A thread that ends at that
    /// moment, such as one with a connection of libpq, frees the same (OPENSSL_init_crypto(3)).
    package static func stayUntilEnd() {
        // If this fails, there is no memory, and the handler stays.
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
