import Clientless
import Cryptography
import Entitlement
import ServerAPI

// The objects that commands alone tell; the others are those of the server's faces.
extension Shapes {
    static let keyPair = Shape<KeyPairRecord>(
        .init("publicKey", \.publicKey), .init("requestors", \.requestors), .init("serverToServer", \.isServerToServer),
        .init("created", \.created), .init("ends", optional: \.ends), .init("label", optional: \.label))

    /// A key pair that was just made, with what a box is told with it.
    static let issuedKeyPair = Shape<(issued: IssuedKeyPair, boxes: BoxSettings?)>(
        keyPair.members(of: \.issued.record)
            + [.init("privateKey", \.issued.privateText)]
            + BoxSettings.shape.members(isRequired: false, of: { $0.issued.record.isServerToServer ? nil : $0.boxes }))

    static let application = Shape<ApplicationRecord>(
        .init("softwareID", \.softwareID), .init("name", \.name), .init("version", \.version),
        .init("requestors", \.requestors), .init("redirectTargets", \.redirectTargets), .init("scopes", \.scopes),
        .init("serverToServer", \.isServerToServer), .init("created", \.created), .init("ends", optional: \.ends))

    /// An application with its software statement, and what a box is told with it.
    static let statedApplication = Shape<(record: ApplicationRecord, statement: String, boxes: BoxSettings?)>(
        application.members(of: \.record) + [.init("softwareStatement", \.statement)]
            + BoxSettings.shape.members(isRequired: false, of: { $0.record.isServerToServer ? nil : $0.boxes }))

    static let degradation = Shape<(rule: DegradationRule, isInForce: Bool)>(
        .init("id", \.rule.id), .init("kind", \.rule.kind.rawValue), .init("requestor", \.rule.requestor),
        .init("provider", optional: \.rule.mvpd), .init("resources") { $0.rule.resources.map(\.text) },
        .init("message", \.rule.message), .init("activation", \.rule.activation), .init("ends", \.rule.ends),
        .init("inForce", \.isInForce))

    static let box = Shape<SignedInBox>(
        .init("box", \.name), .init("name", optional: \.label), .init("model", optional: \.model),
        .init("signIns", of: named(signIn)) { box in box.signIns.map { ($0, box.accountNames[$0.userID]) } },
        .init("ended", of: named(endedSignIn)) { box in box.ended.map { ($0, box.accountNames[$0.userID]) } })

    private static func named<Value>(_ shape: Shape<Value>) -> Shape<(value: Value, accountName: String?)> {
        .init(shape.members(of: \.value) + [.init("accountName", optional: \.accountName)])
    }

    static let wholeBox = Shape<(box: SignedInBox, permits: [AuthZRecord], credentials: [UsedCredential])>(
        box.members(of: \.box) + [
            .init("permits", of: permit, \.permits),
            .init(
                "credentials",
                of: Shape(
                    .init("credential", \.credential.words), .init("label", optional: \.label),
                    .init("isInUse", \.isInUse)), \.credentials),
        ])
}

extension IssuedKeyPair {
    var privateText: String { self.privateKey.withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension BoxSettings {
    fileprivate static let shape = Shape<BoxSettings>(
        .init("certificateAuthority", optional: \.network.certificateAuthority),
        .init("proxy", optional: \.network.proxy))
}
