import Clientless
package import Cryptography

/// The key set behind every token document: the newest key signs, and all that are kept still verify (sdk-services 7).
package struct TokenDocumentSigner: Sendable {
    /// The key of the moment, and all whose signatures count, its own among them.
    package typealias Keys = (signing: any SigningKey, accepted: () -> [VerificationKey])

    private let keys: @Sendable () -> Keys

    private var signing: any SigningKey { self.keys().signing }
    private var accepted: [VerificationKey] { self.keys().accepted() }

    /// - Parameter keys: asked with every document; a key that signed before stays among them until the longest life it
    ///   signed has passed.
    package init(keys: @escaping @Sendable () -> Keys) { self.keys = keys }

    /// Documents under keys that stay.
    /// - Parameters:
    ///   - key: the newest key.
    ///   - olderKeys: what signed before it, newest first.
    package init(signingWith key: any SigningKey, alsoAccepting olderKeys: [VerificationKey] = []) {
        let accepted = [key.verificationKey] + olderKeys
        self.init { (key, { accepted }) }
    }

    /// A whole document (rest-v1 22.1).
    /// - Throws: `internal` when the key does not sign.
    func document(signing element: String) throws(EntitlementError) -> SignedTokenDocument {
        try internally("a token document could not be signed") {
            try SignedTokenDocument(element: element, signedBy: self.signing)
        }
    }

    /// The token element of a document that this server signed. Its signature is checked before any part of the element
    /// is read.
    /// - Throws: `foreignToken`, whatever is wrong with it.
    func element(of document: String) throws(EntitlementError) -> String {
        guard let read = try? SignedTokenDocument(parsing: document), read.isSigned(byOneOf: self.accepted)
        else { throw EntitlementError(.foreignToken) }
        return read.element
    }

    /// A signature over bytes that are no document.
    /// - Throws: `internal` when the key does not sign.
    func signature(for message: [UInt8]) throws(EntitlementError) -> [UInt8] {
        try internally("a proof could not be signed") {
            try self.signing.signature(for: message)
        }
    }

    func isValidSignature(_ signature: some Collection<UInt8>, for message: [UInt8]) -> Bool {
        self.accepted.contains { $0.isValidSignature(signature, for: message) }
    }
}
