package import Clientless
import Cryptography
import FoundationEssentials
package import TestSupport

/// A set-up that `latchkeyd init --demo` made, and what it told.
package struct DemoFolder: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    package let path: String
    private var configurationName = "latchkeyd.json5"
    /// `http://127.0.0.1:port`
    package private(set) var url: String
    /// In PEM, what callers trust alone after ``speakTLS()``; `nil` is HTTP.
    package private(set) var certificate: String?
    package let viewer: Viewer
    /// Pairs for both of the demo's requestors.
    package let keyPair: KeyPair

    /// A requestor that takes every call once only, and one for deployed clients.
    package static let strictRequestor = "DEMO"
    package static let compatibleRequestor = "DEMO-CLASSIC"
    package static let provider = "DemoTV"
    package static let channel = "Demo One"
    /// Exists, and is not in the demo account's line-up.
    package static let deniedChannel = "Demo Extra"

    package var serverConfiguration: String { "\(self.path)/\(self.configurationName)" }
    package var boxConfiguration: String { "\(self.path)/latchkey.json5" }
    /// A box of the requestor for deployed clients, which signs each call.
    package var classicBoxConfiguration: String { "\(self.path)/latchkey-classic.json5" }
    package var store: String { "\(self.path)/latchkeyd.sqlite" }

    /// Runs `latchkeyd init --demo`, then changes what it configured.
    package static func make(
        _ programs: ProgramFolder, in path: String, configuring change: (inout JSON) throws -> Void = { _ in }
    ) async throws -> DemoFolder {
        let url = "http://127.0.0.1:\(try FreePort.find())"
        let arguments = ["init", "--demo", "--folder", path, "--public-url", url]
        let (end, output, talk) = try await ChildProcess(programs.server, arguments).run()
        guard end == .exited(0) else { throw Failed(description: "latchkeyd init ended with \(end): \(talk)") }
        guard let account = word(after: "account", in: output), let password = word(after: "password", in: output),
            let pair = try JSON(parsing: text(of: "\(path)/demo-key-pair.json")).keyPair
        else { throw Failed(description: "latchkeyd init did not say what it made: \(output)") }
        let folder = DemoFolder(
            path: path, url: url, viewer: Viewer(account: account, password: password, provider: Self.provider),
            keyPair: pair)
        try folder.configure(change)
        return folder
    }

    /// The same set-up in another folder and on a port of its own: keys, account and credentials are the original's,
    /// whose server must not have been started.
    package func copy(to path: String) async throws -> DemoFolder {
        try await self.copyFiles(to: path)
        let url = "http://127.0.0.1:\(try FreePort.find())"
        let copy = DemoFolder(path: path, url: url, viewer: self.viewer, keyPair: self.keyPair)
        let addresses = [self.url, url].map { $0.dropFirst("http://".count) }
        for file in [copy.serverConfiguration, copy.boxConfiguration, copy.classicBoxConfiguration] {
            let moved = try text(of: file).replacing(addresses[0], with: addresses[1])
            try Data(moved.utf8).write(to: URL(filePath: file))
        }
        return copy
    }

    private func copyFiles(to path: String) async throws {
        let (end, _, talk) = try await ChildProcess("cp", ["-a", self.path, path]).run()
        guard end == .exited(0) else { throw Failed(description: "cp ended with \(end): \(talk)") }
    }

    /// What applications of the strict requestor register with.
    package func softwareStatement() throws -> String {
        let application = try JSON(parsing: text(of: "\(self.path)/demo-application.json"))
        guard let statement = application["softwareStatement"]?.text else {
            throw Failed(description: "demo-application.json has no software statement")
        }
        return statement
    }

    /// A header that signs one call as boxes do (rest-v1 7.2), now.
    package func authorization(_ verb: String, _ uri: String, requestor: String, nonce: String) -> String {
        guard let requestor = RequestorID(requestor) else { preconditionFailure("a requestor of the demo") }
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return SignedRequestHeader.signed(
            verb: verb, requestor: requestor, nonce: nonce, time: now, uri: uri, keyPair: self.keyPair)
    }

    /// Changes the server's configuration. Its comments are gone afterwards.
    package func configure(_ change: (inout JSON) throws -> Void) throws {
        try Self.rewrite(self.serverConfiguration, change)
    }

    /// The set-up of another node on the same store, at an address of its own, that boxes and phones know nothing of.
    /// - Parameter name: a word of its configuration's name.
    package func neighbour(_ name: String = "neighbour") throws -> DemoFolder {
        var neighbour = self
        neighbour.configurationName = "latchkeyd-\(name).json5"
        try FileManager.default.copyItem(atPath: self.serverConfiguration, toPath: neighbour.serverConfiguration)
        try neighbour.move()
        return neighbour
    }

    /// The same as on another machine, with all files of its own.
    /// - Parameter path: a folder that is not there yet.
    package func node(in path: String) async throws -> DemoFolder {
        try await self.copyFiles(to: path)
        var node = DemoFolder(path: path, url: self.url, viewer: self.viewer, keyPair: self.keyPair)
        try node.move()
        return node
    }

    /// Lets its server listen elsewhere.
    private mutating func move() throws {
        let port = try FreePort.find()
        self.url = "http://127.0.0.1:\(port)"
        try self.configure { configuration in
            var server = configuration["server"] ?? [:]
            server["listen"] = .list([.text("127.0.0.1:\(port)")])
            configuration["server"] = server
        }
    }

    /// Has the server speak HTTPS itself, with a key of 2048 bits and a certificate of its own.
    package mutating func speakTLS() async throws {
        let (certificate, key) = ("\(self.path)/chain.pem", "\(self.path)/key.pem")
        let (end, _, talk) = try await ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        ).run()
        guard end == .exited(0) else { throw Failed(description: "openssl ended with \(end): \(talk)") }
        self.url = self.url.replacing("http:", with: "https:")
        self.certificate = certificate
        let url = self.url
        try self.configure {
            $0["server"]?["publicURL"] = .text(url)
            $0["server"]?["certificate"] = .text(certificate)
            $0["server"]?["certificateKey"] = .text(key)
        }
    }

    /// Adds providers to a configuration, for all its requestors.
    package static func add(_ providers: [JSON], to configuration: inout JSON) {
        configuration["providers"] = .list((configuration["providers"]?.list ?? []) + providers)
        let added = providers.compactMap { $0["id"] }.map { id -> JSON in ["provider": id] }
        let requestors = (configuration["requestors"]?.list ?? []).map { requestor in
            var requestor = requestor
            requestor["integrations"] = .list((requestor["integrations"]?.list ?? []) + added)
            return requestor
        }
        configuration["requestors"] = .list(requestors)
    }

    package func configureBox(_ change: (inout JSON) throws -> Void) throws {
        try Self.rewrite(self.boxConfiguration, change)
    }

    private static func rewrite(_ file: String, _ change: (inout JSON) throws -> Void) throws {
        var settings = try JSON(parsing: text(of: file))
        try change(&settings)
        // In place, so that the file keeps its owner and its mode.
        let handle = Data(try settings.encoded().utf8)
        try handle.write(to: URL(filePath: file))
    }
}

extension JSON {
    fileprivate var keyPair: KeyPair? {
        guard let publicKey = self["publicKey"]?.text, let privateKey = self["privateKey"]?.text else { return nil }
        return KeyPair(publicKey: publicKey, privateKey: Secret(privateKey))
    }
}

private func text(of file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
}

/// The last word of the line that begins with `label`.
private func word(after label: String, in text: String) -> String? {
    text.split(separator: "\n").lazy.map { $0.split(separator: " ") }.first { $0.first == label[...] }?.last
        .map(String.init)
}
