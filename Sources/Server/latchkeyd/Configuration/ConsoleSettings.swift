import CommandLineTool
package import HTTPServer

package struct ConsoleSettings: Sendable {
    /// The socket beside the store, where nothing else is configured.
    static let socketName = "console.socket"

    /// `nil` is the socket beside the store; none at all is no console.
    package let addresses: [HTTPListenerAddress]?
    package let asksEveryone: Bool

    init(_ section: SettingsSection) {
        self.addresses = section.readOptionalList(
            "listen", of: .listenerAddress, example: [.tcp(host: "127.0.0.1", port: 8901)], atMost: 4,
            "The addresses of the operator's pages; left out, the socket console.socket beside the store, empty nowhere. "
                + "Beyond this machine it needs server.certificate")
        // The kernel says who is at the other end of a socket; a proxy hides who is behind a port of this machine.
        let isOnPort = (self.addresses ?? []).contains { if case .tcp = $0 { true } else { false } }
        self.asksEveryone = section.read(
            "alwaysSignIn", .flag, default: isOnPort,
            "Whether callers of this machine sign in, too, as those from elsewhere do: with a client of an application "
                + "that has devices:owner and every requestor. Left out, they do where listen names a port")
    }

    package func addresses(besideStore storeFile: String) -> [HTTPListenerAddress] {
        if let addresses { return addresses }
        let folder = storeFile.lastIndex(of: "/").map { storeFile[..<$0] } ?? "."
        return [.unix(path: "\(folder)/\(Self.socketName)", mode: 0o600)]
    }

    package var isReachedFromElsewhere: Bool { (self.addresses ?? []).contains(where: \.isBeyondThisMachine) }
}

extension HTTPListenerAddress {
    var isBeyondThisMachine: Bool {
        switch self {
        case .unix: false
        case .tcp(let host, _): IPAddress(host)?.isLoopback != true
        }
    }
}
