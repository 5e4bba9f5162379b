import Clientless
import CommandLineTool
import Entitlement
import HTTPServer

enum CheckConfigCommand {
    static let command = ServerCommand(
        .configuration, "check-config", "Look for faults in the configuration",
        discussion: [
            "Lists all faults at once on standard output, each with its place. Starts nothing. If the store cannot "
                + "be reached, a warning says that the keys were not compared with it."
        ],
        operands: [CommandOperand("FILE", "The configuration, instead of --config", count: .optional)],
        examples: ["latchkeyd check-config /etc/latchkeyd/latchkeyd.json5": "before a restart"]
    ) { arguments, call in
        call.path = arguments.operands.first
        let file = try call.file
        let (found, known) = Self.look(at: file, now: call.now, readsPlaces: true)
        var warnings = known
        let (misfit, doubt) = found.isEmpty ? await Self.misfit(call) : (nil, nil)
        if let administration = call.opened?.administration {
            let configuration = try call.configuration
            warnings += await ConfigurationWarning.strays(
                from: configuration.catalogue, administration.operations, now: call.now)
            warnings += await ConfigurationWarning.goneKeys(in: configuration, administration.keyMark, now: call.now)
        }
        let faults = found + [misfit].compactMap(\.self)
        for fault in faults { try call.result(DropIn.place(of: fault, in: file)) }
        for warning in warnings { call.say("\(file.path): warning: \(warning.sentence).") }
        if let doubt { call.say("\(file.path): warning: \(doubt)") }
        guard faults.isEmpty else {
            call.say(faults.count == 1 ? "1 fault." : "\(faults.count) faults.")
            return call.exitCode = .configuration
        }
        call.say("\(file.path): no faults.")
    }

    /// All that the command says but of the file of places and of keys of another set-up, as file and store would be read
    /// for each page: as sentences without a final point for the operator's pages.
    /// - Parameter listen: the addresses in place of the configured ones; `nil` for those.
    static func sentences(of file: ConfigurationFile, listen: [HTTPListenerAddress]?, now: Timestamp) -> [String] {
        let (faults, warnings) = self.look(at: file, listen: listen, now: now)
        return faults.map { "Fault: \($0)" } + warnings.map(\.sentence)
    }

    /// The faults that keep a server from starting although all files are as they should be: keys of another set-up
    /// beside the store; or the doubt that some keys are missing, or that this cannot be said now, because PostgreSQL is
    /// away or a server first brings the store up to date.
    private static func misfit(_ call: CommandCall) async -> (fault: String?, doubt: String?) {
        guard let configuration = try? call.configuration else { return (nil, nil) }
        do {
            let administration = try await call.administration
            let fit = try await KeyFit(of: administration, in: configuration.keyFolder)
            let folder = configuration.keyFolder.path
            let fault = fit.fault(folder: folder).map { "keys.folder: \($0)" }
            return fit.isForeign ? (fault, nil) : (nil, fault)
        } catch {
            let problem = call.described(error) as? OperatorError
            // A store that was copied to another one.
            if let problem, problem.exitCode == .configuration {
                return ("store.kind: \(problem.sentence) \(problem.advice ?? "")", nil)
            }
            let reason = problem?.sentence ?? "\(error)"
            return (nil, "the keys are not held against the store: \(reason)")
        }
    }

    /// Every fault as a sentence, and every warning.
    static func look(
        at file: ConfigurationFile, listen: [HTTPListenerAddress]? = nil, now: Timestamp, readsPlaces: Bool = false
    ) -> (faults: [String], warnings: [ConfigurationWarning]) {
        do {
            var configuration = try file.read()
            if let listen { configuration.server.http.addresses = listen }
            return (
                configuration.surroundingFaults(),
                ConfigurationWarning.all(in: configuration)
                    + ConfigurationWarning.certificate(
                        try? ServeCommand.tls(configuration), in: configuration, now: now)
                    + ConfigurationWarning.logos(in: configuration)
                    + (readsPlaces ? ConfigurationWarning.places(in: configuration) : [])
            )
        } catch let error as ConfigurationFaults {
            return (error.faults.map(\.description), ConfigurationWarning.unread(in: file.folder))
        } catch {
            return (["\(error)"], [])
        }
    }
}
