import Clientless
import Cryptography
import Entitlement

extension WireDocument {
    private static let registrationCodeRoot = XMLName(
        "regcode", prefix: "ns2", uri: "model.mvc.reggie.pass.adobe.com")

    /// A code record (rest-v1 11.1): the six classic members of `info`, then the newer ones that are known.
    /// - Parameters:
    ///   - page: the address of the page that takes the code, for a box that did not name one: it has something to show then
    ///     without any setting of its own (rest-v1 27).
    ///   - hidesDevice: for callers without a credential: the device ID is replaced by an alias that stands for this code
    ///     alone, and what else tells the box apart from others is left out (rest-v1 11.2).
    static func registrationCode(_ record: RegistrationRecord, page: String, hidesDevice: Bool) -> WireDocument {
        var members: [WireObject.Member] = [
            .init("id", .string(record.id)), .init("code", .string(record.code.text)),
            .init("requestor", .string(record.requestor.text)),
        ]
        // Unset, JSON leaves it out and XML has it empty.
        if let mvpd = record.mvpd {
            members.append(.init("mvpd", .string(mvpd.text)))
        } else {
            members.append(.init("mvpd", .string(""), only: .xml))
        }
        members += [
            .init("generated", .integer(record.life.generated.milliseconds)),
            .init("expires", .integer(record.life.expires.milliseconds)),
            .init("info", .object(self.info(record, page: page, hidesDevice: hidesDevice))),
        ]
        return WireDocument(self.registrationCodeRoot, WireObject(members))
    }

    private static func info(_ record: RegistrationRecord, page: String, hidesDevice: Bool) -> WireObject {
        // A code that signed its box in does not name the device any more.
        let device = hidesDevice || record.life.isCompleted ? record.id : record.deviceID.text
        var members: [WireObject.Member] = [
            .init("deviceId", .string(Base64.encode(device.utf8))),
            .init("deviceType", .optional(record.deviceType)),
            .init("deviceUser", .optional(hidesDevice ? nil : record.context.deviceUser)),
            .init("appId", .optional(record.context.appID)), .init("appVersion", .optional(record.appVersion)),
            .init("registrationURL", .string(record.registrationURL ?? page)),
        ]
        if !hidesDevice {
            if let information = record.box.deviceInformation {
                members.append(.init("deviceInfo", .string(information)))
            }
            if let agent = record.box.userAgent {
                members += [.init("userAgent", .string(agent)), .init("originalUserAgent", .string(agent))]
            }
        }
        if let application = record.application {
            let source = WireObject([
                .init("id", .string(application.id)), .init("name", .string(application.name)),
                .init("version", .string(application.version)),
            ])
            members += [
                .init("authorizationType", .string("OAUTH2")), .init("sourceApplicationInformation", .object(source)),
            ]
        }
        return WireObject(members)
    }
}
