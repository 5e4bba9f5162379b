import Cryptography

extension AccessEnabler {
    /// Decrypts user metadata for a programmer who has the private key of the registered certificate (access-enabler
    /// 13.4). Apart from the rest of the library, which never holds that key.
    public struct UserMetadataDecryptor: Sendable {
        /// Why a value stays closed.
        public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
            /// For developers; has nothing of key or value in it.
            public let description: String
        }

        private let key: RSAPrivateKey

        /// - Parameter privateKeyPEM: an RSA key, PKCS#8 or PKCS#1, in PEM.
        /// - Throws: ``Failure`` for anything else.
        public init(privateKeyPEM: String) throws(Failure) {
            guard let key = try? RSAPrivateKey(pem: Secret(privateKeyPEM))
            else { throw Failure(description: "this is not an RSA private key in PEM") }
            self.key = key
        }

        /// The clear text of an encrypted value: Base64 of RSAES-PKCS1-v1_5. A list or map comes as its JSON.
        /// - Throws: ``Failure`` when the value was not encrypted for this key.
        public func decrypt(_ value: MetadataValue) throws(Failure) -> String {
            guard case .string(let text) = value, let bytes = Base64.decodeTolerantly(text) else {
                throw Failure(description: "an encrypted value is one text in Base64")
            }
            guard let text = try? self.key.decrypt(bytes)
            else { throw Failure(description: "the value was not encrypted for this key") }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
