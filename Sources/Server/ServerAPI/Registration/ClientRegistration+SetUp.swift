import Clientless
import Cryptography
import Entitlement
import HTTPServer

// `POST /o/client/setup`: a new box exchanges its set-up code for its configuration. An extension of this server.
extension ClientRegistration {
    private typealias Box = (server: String, credential: SetUpCredential, boxes: APISettings.Boxes)

    private static let box = Shape<Box>(
        .init("server", \.server, .text(1...2048).described("This server, as its operator calls it.")),
        .init("requestors", \.credential.requestors),
        .init(
            "publicKey", optional: \.credential.keyPair?.record.publicKey,
            .text(32...32).described("With privateKey, or softwareStatement in place of both.")),
        .init("privateKey", optional: \.credential.privateKey, .text(16...128)),
        .init("softwareStatement", optional: \.credential.statement, .text(1...16_384)),
        .init(
            "certificateAuthority", optional: \.boxes.certificateAuthority,
            .text(2...4096).described("The file on the box with the only authorities that it trusts.")),
        .init("proxy", optional: \.boxes.proxy, .text(1...1024).described("The way of the box to this server.")))

    static let boxSchema = box.schema(.json)

    static let setUpEndpoints: [Endpoint<ClientRegistration>] = [
        Endpoint(
            [(.post, "/o/client/setup", "setUpBox")], name: "client-setup", .registration,
            "Exchange a set-up code for a box's configuration",
            "A code is good for one exchange. Unknown, used and expired ones are told alike, and counted against the "
                + "caller's address.",
            section: "an extension of this server", requestor: .nowhere, limits: .registration, bodyLimit: .page,
            fields: [
                .required(
                    "setup_code", .text(12...64, pattern: "^[A-Za-z0-9 -]{12,64}$"),
                    "Twelve letters and digits in any case, as the operator saw them; spaces and hyphens do not count."),
                .optional(
                    "nonce", .text(22...64, pattern: "^[!-~]*$"),
                    "Made up by the box. With the same one it may ask again within a minute if the answer was lost."
                ),
            ],
            answers: [
                .registration(200, "The configuration; told this once.", .named("BoxConfiguration")),
                .registrationFailure(
                    400, "The call is malformed, or the code is not good, or no longer.", "invalid_request",
                    "invalid_grant"),
            ] + APIAnswer.registrationFailures, errors: .classic(.authentication),
            handler: .open { .oauth(box, try await $0.setUp($1), status: .ok) })
    ]

    private func setUp(_ call: Call) async throws -> Box {
        guard !call.parameters.undeclared.hasRepeatedName else { throw OAuthError.repeatedName }
        guard let typed = call.parameters["setup_code"], !typed.isEmpty else {
            throw OAuthError.parameter("setup_code")
        }
        guard let code = SetUpCodeText(typed) else { throw OAuthError.invalidGrant }
        let credential = try await self.domain.setUpCodes.redeem(
            code, nonce: try self.nonce(in: call), by: Guesser(self.addresses.address(of: call.request).network),
            now: call.now
        ) { (application) throws(EntitlementError) in try self.statement(of: application, at: call.now) }
        return (self.settings.publicURL, credential, self.settings.boxes)
    }

    private func nonce(in call: Call) throws(OAuthError) -> String? {
        guard let nonce = call.parameters["nonce"], !nonce.isEmpty else { return nil }
        guard (22...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .parameter("nonce") }
        return nonce
    }

    private func statement(of application: ApplicationRecord, at now: Timestamp) throws(EntitlementError) -> String {
        guard let key = self.context.parts.statementKey() else {
            throw EntitlementError(.internal, detail: "there is no key for software statements")
        }
        return try self.domain.credentials.statement(
            for: application, issuer: self.context.parts.accessTokens.issuer, signingWith: key, now: now)
    }
}

extension SetUpCredential {
    fileprivate var keyPair: IssuedKeyPair? { if case .keyPair(let issued) = self { issued } else { nil } }

    fileprivate var privateKey: String? {
        self.keyPair?.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate var statement: String? { if case .softwareStatement(let text, _) = self { text } else { nil } }

    fileprivate var requestors: [RequestorID] {
        switch self {
        case .keyPair(let issued): issued.record.requestors
        case .softwareStatement(_, let requestor): [requestor]
        }
    }
}
