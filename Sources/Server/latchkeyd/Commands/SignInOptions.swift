import CommandLineTool
import Clientless
import Entitlement
import Observability
import Providers

/// The options that say which sign-ins a command is about: those that all of them hold for.
enum SignInOptions {
    static let all: [CommandOption] = [
        .value("viewer", "NAME", "Only of this viewer of a local provider"),
        .value("provider", "ID", "Only of this TV provider; for --viewer the one it is of")
            .offering(.list("provider list")),
        .value("requestor", "ID", "Obtained by this requestor").offering(.list("requestor list")),
        .value("since", "TIME", "Made then or later, \(MomentOption.forms)"),
        .value("until", "TIME", "Made before then"),
    ]

    /// - Throws: also for a viewer of whom nothing was ever kept.
    static func selection(_ call: CommandCall, code: String? = nil) async throws -> AuthNSelection {
        let (arguments, administration) = (call.arguments, try await call.administration)
        let catalogue = try call.configuration.catalogue
        var question = SignInQuestion()
        question.provider = arguments.value("provider")
        if let text = arguments.value("viewer") {
            question.provider = try call.localProvider().text
            guard let name = AccountName.canonical(text) else {
                throw arguments.fault("--viewer takes a name of 1 to 64 bytes without spaces.")
            }
            question.viewer = name
        }
        question.requestor = arguments.value("requestor")
        question.code = code
        (question.since, question.before) = try MomentOption.range(arguments, now: call.now)
        do throws(SignInQuestion.Fault) {
            return try await administration.operations.selection(question, catalogue)
        } catch {
            throw try Self.fault(error, question, catalogue, call, administration)
        }
    }

    private static func fault(
        _ fault: SignInQuestion.Fault, _ question: SignInQuestion, _ catalogue: Catalogue, _ call: CommandCall,
        _ administration: Administration
    ) throws -> any Error {
        switch fault {
        case .domain(let error): return error
        case .field(.code): return call.arguments.fault("--code takes a registration code.")
        case .field(.provider):
            return call.arguments.fault(
                "The configuration has no provider", unknown: question.provider ?? "",
                among: catalogue.mvpds.map(\.id.text))
        case .field(.requestor):
            return call.arguments.fault(
                "The configuration has no requestor", unknown: question.requestor ?? "",
                among: catalogue.requestors.map(\.id.text))
        case .field(.viewer):
            let (name, provider) = (question.viewer ?? "", try call.localProvider())
            return OperatorError(
                "There is no viewer \(terminalSafe(name)) of \(provider).",
                advice: try Self.refusals(name, provider, call, administration))
        }
    }

    /// The place in the log of a viewer's failed tries, in the form that the log has.
    static func refusals(
        _ name: String, _ provider: MVPDID, _ call: CommandCall, _ administration: Administration
    ) throws -> String {
        let viewer = administration.keys.loginName(name, of: provider)
        let isJSON = try call.configuration.log.format == .json
        let pattern = isJSON ? #"'"viewer":"\#(viewer)"'"# : "viewer=\(viewer)"
        return "To see the refused sign-ins of this name, run: journalctl -u latchkeyd -g \(pattern)"
    }
}
