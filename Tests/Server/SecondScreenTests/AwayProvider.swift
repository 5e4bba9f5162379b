import Clientless
import Entitlement
import Synchronization

/// Signs viewers in at a page of its own: `code` is the account, `error` why there is none.
final class AwayProvider: Provider {
    var isRemote: Bool { true }

    static let address = "https://harbor.example/sign-in?client=1&scope=tv"

    private let form: ProviderForm?
    private let contexts = Mutex<[ProviderLoginContext]>([])
    private let answersTaken = Mutex<[ProviderCallback]>([])

    /// - Parameter form: what the browser sends; `nil` for an address.
    init(_ form: ProviderForm? = nil) { self.form = form }

    var logins: [ProviderLoginContext] { self.contexts.withLock { $0 } }
    var answers: [ProviderCallback] { self.answersTaken.withLock { $0 } }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        self.contexts.withLock { $0.append(login) }
        let state = try ProviderState(Array(login.reference.utf8))
        return (self.form.map { .form($0) } ?? .redirect(url: Self.address), state)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        guard case .callback(let answer) = response, state.bytes == Array(login.reference.utf8)
        else { throw ProviderError(.unproven, detail: "another login's answer") }
        self.answersTaken.withLock { $0.append(answer) }
        switch answer["error"] {
        case nil: break
        case "declined": return .refused(ProviderRefusal(.declined))
        case "no": return .refused(reason: "Harbor <i>Sports</i> is extra.")
        case "down": throw ProviderError(.unreachable, detail: "the line is dead")
        case "unknown": throw ProviderError(.refused, detail: "a word that no one knows")
        case "settings": throw ProviderError(.misconfigured, detail: "the secret is wrong")
        default: throw ProviderError(.unproven, detail: "the nonce is another's")
        }
        guard let account = answer["code"] else { throw ProviderError(.unproven, detail: "no code") }
        return .accepted(ProviderLogin(upstreamUserID: account, session: ProviderSession(account: account)))
    }

    /// `down` and `forged` say what becomes of them; any other token is the ID of a notice about ada.
    func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? {
        switch notice {
        case .backChannel(token: "down"): throw ProviderError(.unreachable, detail: "the line is dead")
        case .backChannel(token: "forged"): throw ProviderError(.unproven, detail: "the signature does not match")
        case .backChannel(let token):
            return CheckedNotice([.viewer("ada")], once: CheckedNotice.Once(token, until: now + .seconds(60)))
        case .frontChannel: return nil
        case .browser(let message) where message["SAMLResponse"] == "forged":
            throw ProviderError(.unproven, detail: "it is not signed")
        case .browser(let message):
            guard let id = message["SAMLRequest"] else { return CheckedNotice([]) }
            let form = ProviderForm(to: "https://harbor.example/bye", [NamedText("SAMLResponse", id)])
            return CheckedNotice(
                [.viewer("ada")], once: CheckedNotice.Once(id, until: now + .seconds(60)),
                reply: id.hasPrefix("form")
                    ? .form(form) : .redirect(url: "https://harbor.example/bye?SAMLResponse=\(id)"))
        case .envelope(let body):
            let id = String(decoding: body, as: UTF8.self)
            guard id != "<forged/>" else { throw ProviderError(.unproven, detail: "the signature does not match") }
            return CheckedNotice(
                [.viewer("ada")], once: CheckedNotice.Once(id, until: now + .seconds(60)), reply: .document("<done/>"))
        }
    }

    func publication(now: Timestamp) async throws(ProviderError) -> ProviderPublication? {
        ("application/samlmetadata+xml", "<here/>")
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        ProviderAnswer(resources.map { _ in .permit })
    }
}
