import Clientless
import Cryptography
import Entitlement

extension WireDocument {
    /// The AuthN token as `tokens/authn` and `authenticate/{code}` show it (rest-v1 14.3): `expires` is text, and the
    /// requestor is the one that asks.
    static func authentication(_ record: AuthNRecord, for requestor: RequestorID) -> WireDocument {
        let object = WireObject(
            [
                .init("requestor", .string(requestor.text)), .init("mvpd", .string(record.mvpd.text)),
                .init("userId", .string(record.userID)),
                .init("expires", .string(String(record.expires.milliseconds))),
            ],
            xmlOrder: ["expires", "userId", "mvpd", "requestor"])
        return WireDocument("authentication", object)
    }
}

extension WireDocument {
    /// A decision, as `authorize` and `tokens/authz` show it (rest-v1 15.1).
    /// - Parameter proxy: the provider that serves the viewers of the record's own; `nil` leaves `proxyMvpd` out.
    static func authorization(_ record: AuthZRecord, proxy: MVPDID?) -> WireDocument {
        let member: [WireObject.Member] = proxy.map { [.init("proxyMvpd", .string($0.text))] } ?? []
        let object = WireObject(
            [
                .init("mvpd", .string(record.mvpd.text)), .init("resource", .string(record.resource.received)),
                .init("requestor", .string(record.requestor.text)),
                .init("expires", .string(String(record.expires.milliseconds))),
            ] + member,
            xmlOrder: ["expires", "mvpd", "requestor", "resource", "proxyMvpd"])
        return WireDocument("authorization", object)
    }

    /// A media token (rest-v1 16). The provider is `mvpdId` here and `mvpd` everywhere else.
    static func mediaToken(_ token: IssuedMediaToken) -> WireDocument {
        let object = WireObject(
            [
                .init("resource", .string(token.resource.received)), .init("requestor", .string(token.requestor.text)),
                .init("expires", .string(String(token.expires.milliseconds))),
                .init("serializedToken", .string(Base64.encode(token.document.utf8))),
                .init("userId", .string(token.userID)), .init("mvpdId", .string(token.mvpd.text)),
            ],
            xmlOrder: ["expires", "mvpdId", "requestor", "resource", "serializedToken", "userId"])
        return WireDocument("play", object)
    }
}
