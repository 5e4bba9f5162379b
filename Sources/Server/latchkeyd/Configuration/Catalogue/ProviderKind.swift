import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers

/// A kind of TV provider, as a configuration names it in `kind`: what it reads of a provider's settings, and what
/// answers for such a provider.
///
/// A further kind is a type of its own and a line in ``ProviderKinds/all``; nothing else lists kinds.
protocol ProviderKind: Sendable {
    typealias Option = (option: CommandOption, setting: String)

    /// The value of `kind`.
    static var name: String { get }
    /// How its viewers sign in, behind "NAME, ".
    static var explanation: String { get }
    /// The name of the object with its settings.
    static var group: String { get }
    /// The options of `provider add` for some of these settings.
    static var options: [Option] { get }

    /// Reads the settings that only this kind has. It is asked for every provider, so that the commented configuration
    /// shows them all, and has to report what is set although the provider is of another kind.
    /// - Returns: `nil` when it is not `isChosen`, or something is missing or wrong, which is then reported.
    static func read(_ provider: SettingsSection, isChosen: Bool) -> Self?

    /// The files that a provider of this kind reads, such as the one of its secret.
    var files: [ProviderFile] { get }

    /// The faults of the contents of the files, as sentences.
    /// - Parameter files: by setting.
    func faults(of mvpd: MVPDID, files: [String: Secret]) -> [String]

    /// The rules of the trial that viewers get in place of a provider's answer (rest-v1 20); `nil` for other kinds.
    var trial: TrialRules? { get }

    /// The provider that answers for a provider of this kind; `nil` if none is asked.
    func provider(of mvpd: MVPDID, _ parts: ProviderParts) throws(OperatorError) -> (any Provider)?
}

extension ProviderKind {
    var files: [ProviderFile] { [] }
    var trial: TrialRules? { nil }
    func faults(of mvpd: MVPDID, files: [String: Secret]) -> [String] { [] }
}

/// The services that the server lends to providers.
struct ProviderParts: Sendable {
    let accounts: any AccountStore
    /// The content of the provider's files, by setting.
    let files: [String: Secret]
    let configuration: Configuration
    /// The clients of those that are asked over the network.
    let clients: ProviderClients
    /// Makes pseudonyms of what a provider says of viewers.
    let pseudonyms: KeyedHash
}

package enum ProviderKinds {
    /// The first is that of a provider whose configuration names none.
    static let all: [any ProviderKind.Type] = [
        LocalKind.self, TemporaryPassKind.self, OpenIDConnectKind.self, SAMLKind.self,
    ]

    package static let names = all.map { $0.name }

    /// Reads `kind` of a provider, and the settings of all kinds.
    /// - Returns: `nil` when something is missing or wrong, which is then reported.
    static func read(_ provider: SettingsSection) -> (any ProviderKind)? {
        let chosen = provider.read(
            "kind", .text("one of " + self.names.map { "\"\($0)\"" }.joined(separator: ", "), self.names.contains),
            default: self.names[0],
            "The sign-in of its viewers: "
                + self.all.map { "\($0.name), \($0.explanation)" }.joined(separator: "; "))
        return self.all.compactMap { $0.read(provider, isChosen: $0.name == chosen) }.first
    }
}

struct LocalKind: ProviderKind {
    static let name = "local"
    static let explanation = "with the accounts of 'latchkeyd user'"
    static let group = ""
    static let options: [Option] = []

    static func read(_ provider: SettingsSection, isChosen: Bool) -> LocalKind? { isChosen ? LocalKind() : nil }

    func provider(of mvpd: MVPDID, _ parts: ProviderParts) -> (any Provider)? {
        LocalProvider(mvpd: mvpd, accounts: parts.accounts)
    }
}
