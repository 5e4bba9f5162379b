import Clientless
package import Entitlement

/// The objects that the server tells programs and operators, in one vocabulary: documents of the faces, their schemas and
/// the JSON of the commands come from these lists.
package enum Shapes {
    private static let id = JSONSchema.text(pattern: "^[0-9a-f]{32}$")
    private static let viewer = JSONSchema.text(pattern: "^[0-9a-f]+$").described(
        "A pseudonym, the same on every device of a viewer.")

    package static let signIn = Shape<AuthNRecord>(
        .init("id", \.id.text, id), .init("requestor", \.requestor), .init("provider", \.mvpd),
        .init("viewer", \.userID, viewer),
        .init("origin", \.origin.rawValue, .choice("regular", "temporaryPass", "degraded", "platform")),
        .init("exclusive", \.isExclusive), .init("appId", optional: \.context.appID),
        .init("deviceUser", optional: \.context.deviceUser), .init("credential", optional: \.credential?.words),
        .init("created", \.created), .init("expires", \.expires))

    package static let endedSignIn = Shape<EndedSignIn>(
        .init("id", \.id.text, id), .init("requestor", \.requestor), .init("provider", \.mvpd),
        .init("viewer", \.userID, viewer), .init("created", \.created), .init("ended", \.end.time),
        .init("by", \.end.actor), .init("reason", \.end.reason.rawValue))

    package static let permit = Shape<AuthZRecord>(
        .init("signIn", \.authentication.text, id), .init("requestor", \.requestor), .init("provider", \.mvpd),
        .init("resource", \.resource.text, .text(1...8192)),
        .init("origin", \.origin.rawValue, .choice("provider", "temporaryPass", "degraded")),
        .init("created", \.created), .init("expires", \.expires))

    package static let auditEntry = Shape<AuditEntry>(
        .init("time", \.time), .init("actor", \.actor), .init("action", \.action), .init("subject", \.subject))

    /// A set-up code, which is told once, and the server that takes it.
    package static let setUpCode = Shape<(issued: IssuedSetUpCode, server: String)>(
        .init(
            "code", \.issued.text.grouped, .text(pattern: "^[B-DF-HJ-NP-TV-XZ2-9]{4}(-[B-DF-HJ-NP-TV-XZ2-9]{4}){2}$")),
        .init("server", \.server, .text(1...2048)), .init("requestor", \.issued.record.requestor),
        .init("expires", \.issued.record.expires))

    /// A box of a viewer, as the viewer is told of it.
    static let ownBox = Shape<(box: OwnBox, isCaller: Bool)>(
        .init(
            "box",
            \.box.handle.description,
            .text(pattern: "^[0-9a-f]{8}-[0-9a-f]{8}$").described("The name for it that viewers and operators have.")),
        .init("name", optional: \.box.name, .text(0...128)), .init("model", optional: \.box.model, .text(0...128)),
        .init("since", \.box.since), .init("seen", optional: \.box.seen), .init("expires", \.box.until),
        .init("this", \.isCaller))
}
