import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import MediaTokenVerifier
import ServerAPI

/// `latchkeyd verify-media-token`: the verifier for shells, and for trying things out (rest-v1 22.5).
enum VerifyMediaTokenCommand {
    private static let shape = Shape<(requestor: String, verification: MediaTokenVerification)>(
        .init("result", \.verification.result.rawValue),
        .init("requestor", optional: { $0.verification.token == nil ? nil : $0.requestor }),
        .init("resource", optional: \.verification.token?.resourceID),
        .init("provider", optional: \.verification.token?.mvpdID),
        .init("sessionGUID", optional: \.verification.token?.sessionGUID),
        .init("issued", optional: { $0.verification.token?.issueTime.formatted(.iso8601) }),
        .init("expires", optional: { $0.verification.token?.expirationTime.formatted(.iso8601) }))

    static let command = ServerCommand(
        .store, "verify-media-token", "Say whether a media token is genuine, current and for a channel",
        discussion: [
            "Prints one JSON object; its result is VALID_TOKEN, INVALID_TOKEN_FORMAT, INVALID_SIGNATURE, TOKEN_EXPIRED "
                + "or INVALID_RESOURCE_ID. Without --key, the keys and requestors of the configuration count."
        ],
        options: [
            .value("folder", "DIR", "The folder that 'latchkeyd init' made, instead of --config"),
            .value("key", "FILE", "A public key or certificate in PEM; may be repeated", isRepeatable: true),
            .value("requestor", "ID", "The requestor it must be for; needed with --key"),
            .value("channel", "CHANNEL", "The channel it must be for"),
        ],
        operands: [
            CommandOperand("TOKEN", "The token; left out or -, it is read from standard input", count: .optional)
        ],
        examples: [
            "latchkey authorize 'North Sport HD' | latchkeyd verify-media-token": "on one machine",
            "latchkeyd verify-media-token --key service.pem --requestor NORTHSPORT \"$TOKEN\"": "elsewhere",
        ], also: [.invalidData]
    ) { arguments, call in
        let trusted = try Self.trusted(call)
        let token = try Self.token(arguments)
        let now = Date(timeIntervalSince1970: Double(call.now.milliseconds) / 1000)
        let resource = arguments.value("channel")
        // A token for another requestor counts as malformed, so the first other answer is the one that says something.
        var found: (requestor: String, verification: MediaTokenVerification)?
        for requestor in trusted.requestors {
            let verifier = try Self.verifier(requestor, trusted.keys, arguments)
            let verification = verifier.verify(token, resource: resource, at: now)
            found = (requestor, verification)
            if verification.result != .invalidTokenFormat { break }
        }
        guard let found else { throw OperatorError("The configuration has no requestor.", exitCode: .configuration) }
        try call.result(JSONLine.text(of: found, Self.shape))
        if !found.verification.isValid { call.exitCode = .invalidData }
    }

    private static func trusted(_ call: CommandCall) throws -> (keys: [String], requestors: [String]) {
        let arguments = call.arguments
        let requestor = arguments.value("requestor")
        let files = arguments.values("key")
        try arguments.requireAtMostOne(of: "key", "folder", "config")
        guard files.isEmpty else {
            guard let requestor else { throw arguments.fault("--requestor is missing; with --key it is needed.") }
            let keys = try files.map { String(decoding: try PrivateFiles.read($0, limit: 65_536), as: UTF8.self) }
            return (keys, [requestor])
        }
        if let folder = arguments.value("folder") { call.path = "\(folder)/\(ConfigurationFile.name)" }
        let configuration = try call.configuration
        let keys = try configuration.keyFolder.tokenVerificationKeys().map { try $0.pem() }
        return (keys, requestor.map { [$0] } ?? configuration.catalogue.requestors.map(\.id.text))
    }

    private static func verifier(
        _ requestor: String, _ keys: [String], _ arguments: ParsedArguments
    ) throws -> MediaTokenVerifier {
        do {
            return try MediaTokenVerifier(requestor: requestor, trustedKeys: keys)
        } catch {
            throw arguments.fault("The token cannot be checked: \(error).")
        }
    }

    private static func token(_ arguments: ParsedArguments) throws -> String {
        if let token = arguments.operands.first, token != "-" { return token }
        return try StandardInput.text(limit: MediaTokenVerifier.maximumTokenLength)
    }
}
