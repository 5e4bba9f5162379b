package import Clientless
import Cryptography

extension AuthNSelection {
    /// Its name in the audit log, in public terms: no code.
    var auditName: String {
        var words: [String] = []
        if let userID = self.userID { words.append("viewer \(Self.auditName(ofViewer: userID))") }
        if let provider = self.mvpd { words.append("provider \(provider)") }
        if self.code != nil { words.append("one code") }
        if let requestor = self.requestor { words.append("requestor \(requestor)") }
        if let since = self.since { words.append("since \(since.milliseconds) ms") }
        if let before = self.before { words.append("until \(before.milliseconds) ms") }
        return words.isEmpty ? "all" : words.joined(separator: ", ")
    }

    /// Enough of a pseudonym to tell viewers apart; what is none, the caller made up.
    static func auditName(ofViewer userID: String) -> String {
        let digits = userID.utf8.prefix(16)
        let isHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isHex ? String(decoding: digits, as: UTF8.self) : "unknown"
    }
}

/// The sign-ins that a caller asks for, in the caller's words: those that everything holds for that is given.
package struct SignInQuestion: Sendable {
    package enum Field: String, Sendable {
        case viewer, provider, requestor, code
    }

    package enum Fault: Error {
        /// The field names nothing that there is.
        case field(Field)
        case domain(EntitlementError)
    }

    /// The pseudonym of a viewer, or with a provider the name of an account there.
    package var viewer: String?
    /// A pseudonym of a viewer, whether or not there is one.
    package var pseudonym: String?
    package var provider: String?
    package var requestor: String?
    package var code: String?
    package var since: Timestamp?
    package var before: Timestamp?

    package init() {}
}

extension Operations {
    /// The sign-ins of one viewer.
    /// - Parameter id: the provider's own; of a local provider that is the account's ID.
    package func viewer(_ id: String, of provider: MVPDID) -> AuthNSelection {
        AuthNSelection(mvpd: provider, userID: self.keys.userID(id, of: provider))
    }

    package func selection(
        _ question: SignInQuestion, _ catalogue: Catalogue
    ) async throws(SignInQuestion.Fault) -> AuthNSelection {
        func named<Value>(
            _ field: SignInQuestion.Field, _ text: String?, _ find: (String) -> Value?
        ) throws(SignInQuestion.Fault) -> Value? {
            guard let text else { return nil }
            guard let value = find(text) else { throw .field(field) }
            return value
        }
        let provider = try named(.provider, question.provider) { MVPDID($0).flatMap { catalogue.mvpd($0)?.id } }
        var selection = AuthNSelection.all
        if let viewer = question.viewer {
            selection = try await self.selection(ofViewer: viewer, at: provider)
        } else {
            selection.userID = question.pseudonym
        }
        selection.mvpd = provider
        selection.requestor = try named(.requestor, question.requestor) {
            RequestorID($0).flatMap { catalogue.requestor($0)?.id }
        }
        selection.code = try named(.code, question.code) { RegistrationCodeText($0) }
        selection.since = question.since
        selection.before = question.before
        return selection
    }

    /// The former ID of an account still names its viewer as long as a sign-in is kept.
    private func selection(
        ofViewer text: String, at provider: MVPDID?
    ) async throws(SignInQuestion.Fault) -> AuthNSelection {
        do throws(EntitlementError) {
            let name = AccountName.canonical(text)
            if let provider, let name, let account = try await stored(await self.store.account(name, of: provider)) {
                return self.viewer(account.id, of: provider)
            }
            if Hex.decode(text)?.count == 32 { return AuthNSelection(userID: text.lowercased()) }
            if let provider, try await self.countSignIns(self.viewer(text, of: provider)) > 0 {
                return self.viewer(text, of: provider)
            }
        } catch {
            throw .domain(error)
        }
        throw .field(.viewer)
    }
}
