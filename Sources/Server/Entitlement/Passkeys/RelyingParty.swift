import Cryptography

/// The identity of this server for browsers and authenticators (WebAuthn level 3, sections 4 and 5.1.3): a passkey is
/// bound to it, and works nowhere else.
package struct RelyingParty: Hashable, Sendable {
    package let id: String
    /// Scheme, host, and the port where it is not the usual one, as browsers write it.
    package let origin: String

    /// - Parameter publicURL: scheme, host and perhaps port of this server.
    /// - Returns: `nil` if browsers offer no passkeys: in clear but to this machine, and under an address that is no
    ///   name (sections 5.1.3 and 13.4.9).
    package init?(publicURL: String) {
        let text = publicURL.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, Self.isName(host) else { return nil }
        let isHere = host == "localhost" || host.hasSuffix(".localhost")
        guard scheme == "https://" || isHere else { return nil }
        self.id = String(host)
        guard parts.count == 2 else {
            self.origin = scheme + host
            return
        }
        guard let port = UInt16(parts[1]), port > 0 else { return nil }
        let isUsual = port == (scheme == "https://" ? 443 : 80)
        self.origin = scheme + host + (isUsual ? "" : ":\(port)")
    }

    /// Whether `host` is a name of letters, digits, hyphens and dots whose last part is no number, as an address's is.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(host.utf8.count), let last = labels.last, !last.utf8.allSatisfy(Self.isDigit)
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-")
                }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The hash that authenticators sign in place of ``id``.
    var idHash: [UInt8] { Digest.sha256(self.id.utf8) }
}

// The two ceremonies of WebAuthn level 3, as far as they are about what a browser brought. The store says whose
// credential it is, and that a challenge counts once.

extension RelyingParty {
    /// Checks a registration but for its challenge (section 7.1).
    ///
    /// No attestation is asked for, so no maker's word counts. A browser may leave the new key's own signature in its place
    /// (section 5.1.3, step "none"), and that has to be right.
    func credential(
        of registration: PasskeyRegistration
    ) throws(PasskeyFault) -> (AuthenticatorData.Credential, AuthenticatorData) {
        guard let object = try? CBORReader.item(in: registration.attestation), let format = object["fmt"]?.text,
            let signed = object["authData"]?.bytes, case .map(let statement)? = object["attStmt"]
        else { throw .malformed }
        let data = try self.checked(signed)
        guard let credential = data.credential else { throw .malformed }
        let key = try CredentialKey(cose: credential.publicKey)
        switch format {
        case "none":
            guard statement.isEmpty else { throw .attestation }
        case "packed":
            guard statement[.text("x5c")] == nil, statement[.text("alg")]?.integer == key.algorithm,
                let signature = statement[.text("sig")]?.bytes,
                key.key.isValidSignature(signature, for: signed + Digest.sha256(registration.clientData))
            else { throw .attestation }
        default: throw .attestation
        }
        return (credential, data)
    }

    /// Checks the use of a passkey but for its challenge (section 7.2).
    /// - Parameter handle: what its account is called to authenticators.
    /// - Returns: what the authenticator has counted.
    func check(_ assertion: PasskeyAssertion, by passkey: Passkey, handle: [UInt8]) throws(PasskeyFault) -> UInt32 {
        guard assertion.credential == passkey.credential,
            assertion.userHandle.isEmpty || constantTimeEqual(assertion.userHandle, handle)
        else { throw .account }
        let data = try self.checked(assertion.authenticatorData)
        // A passkey stays syncable or not, as it was made (section 6.1.3).
        guard data.flags.contains(.backupEligible) == passkey.isSyncable else { throw .malformed }
        let message = assertion.authenticatorData + Digest.sha256(assertion.clientData)
        guard try CredentialKey(cose: passkey.publicKey).key.isValidSignature(assertion.signature, for: message)
        else { throw .signature }
        // One that does not count says 0 for ever (section 6.1.1).
        guard data.signCount > passkey.signCount || (data.signCount == 0 && passkey.signCount == 0)
        else { throw .counter }
        return data.signCount
    }

    /// The checked statement of an authenticator, for this relying party, about a viewer whom it verified.
    private func checked(_ bytes: [UInt8]) throws(PasskeyFault) -> AuthenticatorData {
        let data = try AuthenticatorData(bytes)
        guard data.partyHash == self.idHash else { throw .party }
        // It stands in place of a password: that a viewer touched it is not enough.
        guard data.flags.isSuperset(of: [.userPresent, .userVerified]) else { throw .viewer }
        return data
    }
}
