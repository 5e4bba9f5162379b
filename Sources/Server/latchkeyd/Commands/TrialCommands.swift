package import CommandLineTool
import Clientless
import Entitlement

/// `latchkeyd trials reset`
package enum TrialResetCommand: ServerCommand {
    package static let command = Command.ofStore(
        "reset", "Forget trials, so that they may begin anew",
        discussion: [
            "Without --device and --person it forgets every trial of the requestor at the provider. Boxes stay "
                + "signed in until their trial would have ended."
        ],
        options: [
            CommonOptions.requestor, CommonOptions.provider,
            .value("device", "DEVICE-ID", "Only this box's; - reads it from standard input"),
            .value("person", "TEXT", "Only this person's, as the programmer names it in generic_data"),
            CommonOptions.json,
        ],
        examples: [
            CommandExample("latchkeyd trials reset --requestor NORTHSPORT --provider FreePreview", "for everybody")
        ])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let count = try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let requestor = try CommonOptions.requestor(arguments, of: configuration.catalogue)
            let provider = try Self.provider(arguments, of: requestor, configuration.catalogue)
            return try await administration.trials.reset(
                of: try Self.identity(arguments, administration), requestor: requestor.id, mvpd: provider,
                actor: CommandActor.text, now: context.now())
        }
        try context.shows(["reset": .integer(Int64(count))], arguments)
        context.console.say(count == 1 ? "1 trial is forgotten." : "\(count) trials are forgotten.")
        return .success
    }

    private static func provider(
        _ arguments: ParsedArguments, of requestor: Requestor, _ catalogue: Catalogue
    ) throws -> MVPDID {
        let passes = requestor.integrations.map(\.mvpd).filter { catalogue.mvpd($0)?.trial != nil }
        guard let provider = try CommonOptions.provider(arguments, of: requestor), passes.contains(provider) else {
            let names = passes.isEmpty ? "it has none" : "it has \(passes.map(\.text).joined(separator: ", "))"
            throw arguments.fault("--provider takes a temporary pass of \(requestor.id); \(names).")
        }
        return provider
    }

    private static func identity(
        _ arguments: ParsedArguments, _ administration: Administration
    ) throws -> TrialIdentity? {
        switch (arguments.value("device"), arguments.value("person")) {
        case (nil, nil): return nil
        case (let device?, nil):
            return .device(administration.keys.deviceHash(try CommonOptions.device(device, arguments)))
        case (nil, let person?): return administration.trials.person(person)
        case (_?, _?):
            throw arguments.fault("--device and --person do not go together.")
        }
    }
}
