import Clientless
import Entitlement
import HTTPServer

/// A code record (rest-v1 11.1): the six classic members of `info`, then the newer ones that are known.
///
/// An object: each member that is written takes the whole.
final class CodeDocument: Sendable {
    let record: RegistrationRecord
    /// The address of the page that takes the code, for a box that did not name one: it has something to show then without
    /// any setting of its own (rest-v1 27).
    let page: String
    /// For callers without a credential: the device ID is replaced by an alias that stands for this code alone, and what else
    /// tells the box apart from others is left out (rest-v1 11.2).
    let hidesDevice: Bool

    init(record: RegistrationRecord, page: String, hidesDevice: Bool) {
        (self.record, self.page, self.hidesDevice) = (record, page, hidesDevice)
    }

    private var deviceID: Base64Text {
        // A code that signed its box in does not name the device any more.
        let isHidden = self.hidesDevice || self.record.life.isCompleted
        return Base64Text(bytes: Array((isHidden ? self.record.id : self.request.deviceID.text).utf8))
    }

    private var request: CodeRequest { self.record.request }
    private var shown: CodeRequest? { self.hidesDevice ? nil : self.request }

    private static let moment = JSONSchema.integer().described("Milliseconds since 1970.")
    private static let base64 = JSONSchema.text(pattern: "^[A-Za-z0-9+/]*={0,2}$")

    private static let application = Shape<ApplicationReference>(
        .init("id", \.id), .init("name", \.name), .init("version", \.version))

    private static let registered = Shape<ApplicationReference>(
        .init("authorizationType", { _ in "OAUTH2" }, .constant(.string("OAUTH2"))),
        .init("sourceApplicationInformation", application, \.self))

    /// The members that older clients know are `null` where they are not set; the last two are for clients with a bearer token.
    private static let information = Shape<CodeDocument>(
        [
            .init(
                "deviceId", \.deviceID,
                base64.described("Base64 of the device ID, or of an alias that stands for this code alone.")),
            .init("deviceType", orNull: \.request.deviceType),
            .init("deviceUser", orNull: \.shown?.context.deviceUser),
            .init("appId", orNull: \.request.context.appID), .init("appVersion", orNull: \.request.appVersion),
            .init("registrationURL", orNull: { $0.request.registrationURL ?? $0.page }),
            .init(
                "deviceInfo", optional: \.shown?.box.deviceInformation,
                base64.described("Base64 of the normalised device information, a JSON object.")),
            .init("userAgent", optional: \.shown?.box.userAgent),
            .init("originalUserAgent", optional: \.shown?.box.userAgent),
        ] + registered.members(isRequired: false, of: \.request.application))

    private static let shape = Shape<CodeDocument>(
        .init("id", \.record.id, .text(format: "uuid")),
        .init("code", \.record.code.text, .text(pattern: "^[BCDFGHJKLMNPQRSTVWXZ2-9]{7,8}$")),
        .init("requestor", \.request.requestor), .init("mvpd", optional: \.request.mvpd).inJSON,
        .init("mvpd", { $0.request.mvpd?.text ?? "" }, .text(0...64).described("Empty when not set.")).inXML,
        .init("generated", { Int($0.record.life.generated.milliseconds) }, moment),
        .init("expires", { Int($0.record.life.expires.milliseconds) }, moment), .init("info", information, \.self))

    private static let root = XMLName("regcode", prefix: "ns2", uri: "model.mvc.reggie.pass.adobe.com")

    static let schemas: APIDescription.NamedSchemas = [
        "RegistrationCode": shape.schema(.json),
        "RegistrationCodeDocument": shape.schema(.xml).element(root),
    ]

    func response(_ format: WireFormat, status: HTTPStatus = .ok) -> HTTPResponse {
        Answer.object(Self.root, Self.shape, self, format, status: status)
    }
}
