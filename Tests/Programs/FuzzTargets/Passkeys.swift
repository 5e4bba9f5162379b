@testable import Entitlement

extension FuzzTarget {
    /// What a browser brings of a new passkey: what it says itself, and the attestation behind a NUL byte.
    static let passkey = FuzzTarget("passkey") { input in
        let parts = parts(input, 2)
        guard let party = RelyingParty(publicURL: "https://tve.example.net") else { return }
        _ = try? ClientData(parts[0], .creation, at: party)
        guard let registration = PasskeyRegistration(clientData: parts[0], attestation: parts[1]),
            let (credential, _) = try? party.credential(of: registration)
        else { return }
        precondition(Passkey.credentialLength.contains(credential.id.count), "an ID is bounded")
        precondition(credential.publicKey.count <= AuthenticatorData.maximumSize, "a key is bounded")
        precondition((try? CredentialKey(cose: credential.publicKey)) != nil, "what is kept can be used")
    }

    /// What an authenticator signs at each use, and CBOR by itself.
    static let authenticatorData = FuzzTarget("authenticator-data") { input in
        if let data = try? AuthenticatorData(input), let credential = data.credential {
            precondition(Passkey.credentialLength.contains(credential.id.count), "an ID is bounded")
        }
        if let item = try? CBORReader.item(in: input), case .map = item { _ = try? CredentialKey(cose: input) }
    }
}
