/// What the callbacks of one daemon know.
final class DaemonContext: Sendable {
    let core: ServerCore
    let isSecure: Bool
    let stock = ResponseStock()
    let unread = UnreadRequests()

    init(core: ServerCore, isSecure: Bool) {
        self.core = core
        self.isSecure = isSecure
    }
}
