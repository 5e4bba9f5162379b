import Clientless
import Cryptography
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

    /// In Base64.
    private var deviceID: String {
        // A code that signed its box in does not name the device any more.
        let device =
            self.hidesDevice || self.record.life.isCompleted ? self.record.id : self.record.deviceID.text
        return Base64.encode(device.utf8)
    }

    private var box: BoxDescription? { self.hidesDevice ? nil : self.record.box }

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
            .init("deviceType", orNull: \.record.deviceType),
            .init("deviceUser", orNull: { $0.hidesDevice ? nil : $0.record.context.deviceUser }),
            .init("appId", orNull: \.record.context.appID), .init("appVersion", orNull: \.record.appVersion),
            .init("registrationURL", orNull: { $0.record.registrationURL ?? $0.page }),
            .init(
                "deviceInfo", optional: \.box?.deviceInformation,
                base64.described("Base64 of the normalised device information, a JSON object.")),
            .init("userAgent", optional: \.box?.userAgent), .init("originalUserAgent", optional: \.box?.userAgent),
        ] + registered.members(isRequired: false, of: \.record.application))

    private static let shape = Shape<CodeDocument>(
        .init("id", \.record.id, .text(format: "uuid")),
        .init("code", \.record.code.text, .text(pattern: "^[BCDFGHJKLMNPQRSTVWXZ2-9]{7,8}$")),
        .init("requestor", \.record.requestor), .init("mvpd", optional: \.record.mvpd).inJSON,
        .init("mvpd", { $0.record.mvpd?.text ?? "" }, .text(0...64).described("Empty when not set.")).inXML,
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
