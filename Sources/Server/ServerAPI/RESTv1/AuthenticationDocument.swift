import Clientless
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
