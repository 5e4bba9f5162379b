/// What the callbacks of one daemon know.
final class DaemonContext: Sendable {
    let core: ServerCore
    /// `nil` without TLS.
    let certificate: ServedCertificate?
    let stock = ResponseStock()
    let unread = UnreadRequests()

    init(core: ServerCore, certificate: ServedCertificate?) {
        self.core = core
        self.certificate = certificate
    }

    var isSecure: Bool { self.certificate != nil }
}
