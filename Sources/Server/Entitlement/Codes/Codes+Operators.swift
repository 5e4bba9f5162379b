package import Clientless
import Cryptography

// Open codes as operators see them: by their boxes. A person who knows a code can sign in a box of another, so an
// operator is shown its beginning, and names it by a handle that only this server can read.
extension Codes {
    private static let purpose = "open-code"

    /// The codes that are open, those that expire last first.
    /// - Parameter limit: the most codes.
    /// - Throws: `storeUnavailable`; `internal` when a handle cannot be made.
    package func openCodes(limit: Int, now: Timestamp) async throws(EntitlementError) -> [OpenCode] {
        let records = try await stored(await self.store.openCodes(now: now, limit: limit))
        var codes: [OpenCode] = []
        for record in records { codes.append(OpenCode(record, handle: try self.handle(of: record.code), now: now)) }
        return codes
    }

    /// Withdraws an open code: its box is told so, and a viewer can do no more with it.
    /// - Parameter handle: as ``OpenCode/handle``.
    /// - Returns: false, and nothing changed, when the handle names no code, or one that is not open any more.
    package func cancel(_ handle: String, actor: String, now: Timestamp) async throws(EntitlementError) -> Bool {
        guard let code = self.code(ofHandle: handle), let record = try await self.storedCode(code) else { return false }
        let entry = AuditEntry(
            time: now, actor: actor, action: "code.cancel", subject: Operations.auditName(of: record.context.device))
        do {
            _ = try await self.change(startingFrom: record) { (record) throws(EntitlementError) in
                try record.life.applying(.cancelled, at: now)
                return CodeChange(audit: entry)
            }
        } catch {
            guard [.codeUnknown, .codeUsed, .codeDeclined].contains(error.code) else { throw error }
            return false
        }
        return true
    }

    private func handle(of code: RegistrationCodeText) throws(EntitlementError) -> String {
        try internally("the handle of a code could not be sealed") {
            Base64.encodeURL(
                try self.signIns.keys.seal.seal(Secret(Array(code.text.utf8)), authenticating: Self.purpose.utf8))
        }
    }

    private func code(ofHandle handle: String) -> RegistrationCodeText? {
        guard handle.utf8.count <= OpenCode.longestHandle, let sealed = Base64.decodeURL(handle),
            let secret = try? self.signIns.keys.seal.open(sealed, authenticating: Self.purpose.utf8)
        else { return nil }
        return secret.withBytes { RegistrationCodeText(String(decoding: $0, as: UTF8.self)) }
    }
}

package struct OpenCode: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let longestHandle = 256

    /// Names the code to this server; its text is not to be had from it.
    package let handle: String
    /// The first three characters, such as `7KQ-…`.
    package let beginning: String
    package let requestor: RequestorID
    package let device: DeviceHash
    package let box: BoxDescription
    package let state: RegistrationCode.State
    package let generated: Timestamp
    package let expires: Timestamp

    init(_ record: RegistrationRecord, handle: String, now: Timestamp) {
        self.handle = handle
        self.beginning = "\(String(decoding: record.code.text.utf8.prefix(3), as: UTF8.self))-…"
        self.requestor = record.requestor
        self.device = record.context.device
        self.box = record.box
        self.state = record.life.state(at: now)
        self.generated = record.life.generated
        self.expires = record.life.expires
    }
}
