import Clientless
import Entitlement
import HTTPServer

/// The answers about sign-ins, decisions and media tokens. The ends are texts of digits (rest-v1 3.9).
enum TokenDocuments {
    private static let userID = JSONSchema.text(pattern: "^[0-9a-f]+$").described(
        "A pseudonym, the same on every device of a viewer.")

    /// The AuthN token as `tokens/authn` and `authenticate/{code}` show it (rest-v1 14.3); the requestor is the one that asks.
    static let authentication = Shape<(record: AuthNRecord, requestor: RequestorID)>(
        [
            .init("requestor", \.requestor), .init("mvpd", \.record.mvpd), .init("userId", \.record.userID, userID),
            .init("expires", \.record.expires),
        ], inXML: ["expires", "userId", "mvpd", "requestor"])

    /// A decision, as `authorize` and `tokens/authz` show it (rest-v1 15.1), with the provider that serves the viewers of the
    /// record's own, if there is one.
    static let authorization = Shape<(record: AuthZRecord, proxy: MVPDID?)>(
        [
            .init("mvpd", \.record.mvpd), .init("resource", \.record.resource.received, APIField.resourceText),
            .init("requestor", \.record.requestor), .init("expires", \.record.expires),
            .init("proxyMvpd", optional: \.proxy?.text, APIField.mvpdName),
        ], inXML: ["expires", "mvpd", "requestor", "resource", "proxyMvpd"])

    /// A media token (rest-v1 16). The provider is `mvpdId` here and `mvpd` everywhere else.
    static let mediaToken = Shape<IssuedMediaToken>(
        [
            .init("resource", \.resource.received, APIField.resourceText), .init("requestor", \.requestor),
            .init("expires", \.expires),
            .init(
                "serializedToken", { Base64Text(bytes: $0.document.bytes) },
                .text(pattern: "^PHNpZ25hdHVyZUluZm8\\+[A-Za-z0-9+/]+={0,2}$").described(
                    "Base64 of the signed token document.")),
            .init("userId", \.userID, userID), .init("mvpdId", \.mvpd),
        ], inXML: ["expires", "mvpdId", "requestor", "resource", "serializedToken", "userId"])

    fileprivate static let authenticationRoot: XMLName = "authentication"
    fileprivate static let authorizationRoot: XMLName = "authorization"
    fileprivate static let mediaTokenRoot: XMLName = "play"

    static let schemas: APIDescription.NamedSchemas = [
        "Authentication": authentication.schema(.xml).element("authentication"),
        "Authorization": authorization.schema(.xml).element("authorization"),
        "MediaToken": mediaToken.schema(.xml).element("play"),
        "Preauthorization": Preauthorization.inJSON,
        "PreauthorizationDocument": Preauthorization.inXML.element("resources"),
    ]
}

extension Answer {
    static func authentication(
        _ record: AuthNRecord, for requestor: RequestorID, _ format: WireFormat
    ) -> HTTPResponse {
        self.object(TokenDocuments.authenticationRoot, TokenDocuments.authentication, (record, requestor), format)
    }

    static func authorization(_ record: AuthZRecord, proxy: MVPDID?, _ format: WireFormat) -> HTTPResponse {
        self.object(TokenDocuments.authorizationRoot, TokenDocuments.authorization, (record, proxy), format)
    }

    static func mediaToken(_ token: IssuedMediaToken, _ format: WireFormat) -> HTTPResponse {
        self.object(TokenDocuments.mediaTokenRoot, TokenDocuments.mediaToken, token, format)
    }
}
