import Clientless
import Cryptography

/// The question that a box's account is asked on behalf of a requestor (access-enabler 10.5, step 3). It opens nothing.
struct BoxAccountRequest: Hashable {
    static let maximumLength = 512
    private static let mark = "latchkey box account 1"

    let requestor: RequestorID
    let mvpd: MVPDID

    var bytes: [UInt8] { Array("\(Self.mark)\n\(self.requestor.text)\n\(self.mvpd.text)".utf8) }

    init(requestor: RequestorID, mvpd: MVPDID) {
        self.requestor = requestor
        self.mvpd = mvpd
    }

    /// - Returns: `nil` if this server did not write it.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0] == Self.mark, let requestor = RequestorID(String(lines[1])),
            let mvpd = MVPDID(String(lines[2]))
        else { return nil }
        self.requestor = requestor
        self.mvpd = mvpd
    }
}

/// This server's word that the box's account is signed in with a provider, made out to one requestor: good once, and for
/// a moment (access-enabler 10.5, step 4).
///
/// On the wire: base64url of the claim, a dot, and base64url of a signature over it.
struct BoxAccountProfile: Hashable {
    /// The longest profile read, in bytes: a signature of an 8192-bit key fits.
    static let maximumLength = 4096
    static let lifetime: Duration = .seconds(120)
    /// Keeps a profile from being anything else that the same keys sign.
    private static let purpose = Array("latchkey/box-account/1\n".utf8)

    /// Taken once.
    let number: String
    /// The sign-in of the account.
    let source: AuthNID
    let audience: BoxAccountRequest
    let expires: Timestamp

    init(source: AuthNID, audience: BoxAccountRequest, now: Timestamp) {
        self.number = Hex.encode(SecureRandom.bytes(16))
        self.source = source
        self.audience = audience
        self.expires = now + Self.lifetime
    }

    func text(signer: TokenDocumentSigner) throws(EntitlementError) -> String {
        let claim =
            Array(
                "\(self.number)\n\(self.source.text)\n\(self.audience.requestor.text)\n\(self.audience.mvpd.text)\n"
                    .utf8) + Array(String(self.expires.milliseconds).utf8)
        return "\(Base64.encodeURL(claim)).\(Base64.encodeURL(try signer.signature(for: Self.purpose + claim)))"
    }

    /// Reads a profile; nothing of it is read before its signature is found good.
    /// - Returns: `nil` if this server did not sign it.
    init?(_ text: String, signer: TokenDocumentSigner) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let claim = Base64.decodeURL(String(parts[0])),
            let signature = Base64.decodeURL(String(parts[1])),
            signer.isValidSignature(signature, for: Self.purpose + claim)
        else { return nil }
        let lines = String(decoding: claim, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, let requestor = RequestorID(String(lines[2])), let mvpd = MVPDID(String(lines[3])),
            let expires = Int64(lines[4])
        else { return nil }
        self.number = String(lines[0])
        self.source = AuthNID(text: String(lines[1]))
        self.audience = BoxAccountRequest(requestor: requestor, mvpd: mvpd)
        self.expires = Timestamp(milliseconds: expires)
    }
}
