import CommandLineTool
import FoundationEssentials
import HTTPServer
import Lifecycle
import POSIX

/// Tells where the server listens, once it does: people on the terminal, programs in a file, and the manager of services
/// that it is ready.
struct AddressAnnouncement: Service {
    let server: HTTPServer
    let console: Console
    let publicURL: String
    let usesTLS: Bool
    /// Whether each address gets a line for programs as well.
    let printsAddresses: Bool
    /// Written as a whole; one URL on each line.
    let file: String?
    /// The socket of the manager that started this program (`NOTIFY_SOCKET`); `nil` without one.
    let manager: String?

    func run() async throws {
        let addresses = try await self.server.boundAddresses
        let urls = addresses.map(self.url)
        ThisProcess.releaseCode()
        if let file = self.file {
            try PrivateFiles.replace(file, urls.map { $0 + "\n" }.joined())
        }
        let places = addresses.map(\.description).joined(separator: ", ")
        self.console.say("latchkeyd serves \(self.publicURL), listening on \(places).")
        if self.printsAddresses {
            for url in urls { self.console.say("LISTENING \(url)") }
        }
        // A manager that is gone waits for nothing.
        if let manager = self.manager { try? ServiceManager.tell("READY=1", at: manager) }
        await StopSignal.current.wait()
        if let file = self.file { try? FileManager.default.removeItem(atPath: file) }
    }

    private func url(_ address: HTTPListenerAddress) -> String {
        switch address {
        case .unix: return address.description
        case .tcp(let host, let port):
            // Every address of the machine is no address to call; the machine itself is one of them.
            let named = host.isEmpty ? HTTPListenerAddress.tcp(host: "127.0.0.1", port: port) : address
            return "\(self.usesTLS ? "https" : "http")://\(named)"
        }
    }
}
