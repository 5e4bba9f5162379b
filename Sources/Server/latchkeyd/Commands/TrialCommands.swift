import CommandLineTool
import Clientless
import Entitlement

/// `latchkeyd trials reset`
enum TrialResetCommand {
    static let command = ServerCommand(
        .store, "reset", "Forget trials, so that they may begin anew",
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
        examples: ["latchkeyd trials reset --requestor NORTHSPORT --provider FreePreview": "for everybody"]
    ) { arguments, call in
        let administration = try await call.administration
        let requestor = try call.requestor()
        let provider = try Self.provider(of: requestor, call)
        let count = try await administration.trials.reset(
            of: try Self.identity(arguments, administration), requestor: requestor.id, mvpd: provider,
            actor: CommandActor.text, now: call.now)
        try call.shows(["reset": .integer(Int64(count))])
        call.say(count == 1 ? "1 trial is forgotten." : "\(count) trials are forgotten.")
    }

    private static func provider(of requestor: Requestor, _ call: CommandCall) throws -> MVPDID {
        let catalogue = try call.configuration.catalogue
        let passes = requestor.integrations.map(\.mvpd).filter { catalogue.mvpd($0)?.trial != nil }
        guard let provider = try call.provider(of: requestor), passes.contains(provider) else {
            let names = passes.isEmpty ? "it has none" : "it has \(passes.map(\.text).joined(separator: ", "))"
            throw call.arguments.fault("--provider takes a temporary pass of \(requestor.id); \(names).")
        }
        return provider
    }

    private static func identity(
        _ arguments: ParsedArguments, _ administration: Administration
    ) throws -> TrialIdentity? {
        switch (arguments.value("device"), arguments.value("person")) {
        case (nil, nil): return nil
        case (let device?, nil):
            return .device(administration.keys.deviceHash(try arguments.device(device)))
        case (nil, let person?): return administration.trials.person(person)
        case (_?, _?):
            throw arguments.fault("--device and --person do not go together.")
        }
    }
}
