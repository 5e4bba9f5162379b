import Clientless
import CommandLineTool
import POSIX

/// Makes the configuration out of the server's answer to `latchkeyd keys issue --json` or
/// `latchkeyd keys application issue --json`, or out of what the server gives for a set-up code.
extension BoxCall {
    /// More than any answer of the server.
    private static let answerLimit = 64 << 10

    func setUp() async throws(CommandFault) -> ExitCode {
        let path = self.arguments.value("config") ?? Settings.defaultFile
        let way = try BoxWay(self.arguments)
        let used: BoxWay
        if let code = self.arguments.value("code") {
            used = try await self.exchange(code, way, for: path)
        } else {
            let answer = try self.answer()
            used = try way.completed(by: answer)
            try self.write(try self.text(answer, used), to: path)
        }
        let said = [
            used.proxy.flatMap {
                way.proxy == nil ? "It uses the proxy \(terminalSafe($0)), as the server says. " : nil
            },
            used.certificateAuthority.flatMap {
                way.certificateAuthority == nil
                    ? "It trusts the authorities in \(terminalSafe($0)), as the server says. " : nil
            },
            self.arguments.operands.first.flatMap { file in
                (try? FileStatus(of: file, followsLinks: true))?.isOpenToOthers == true
                    ? "Others on this box can read the credential in \(terminalSafe(file)): remove that file. " : nil
            },
        ].compactMap(\.self).joined()
        return self.reporter.result(
            .configured(file: path), "The configuration is in \(path). \(said)'latchkey doctor' checks it.")
    }

    /// Makes the configuration of what the server gives for a code, which is good once: all that can be wrong here is
    /// looked at before.
    /// - Returns: the way to the server that was written down.
    private func exchange(_ typed: String, _ way: BoxWay, for path: String) async throws(CommandFault) -> BoxWay {
        for (name, isThere) in [
            ("FILE", !self.arguments.operands.isEmpty), ("--requestor", self.arguments.has("requestor")),
        ] where isThere {
            throw CommandFault("usage", "\(name) does not go with --code, which says it.", .usage)
        }
        let exchange = try SetUpExchange(
            server: try self.server(), isInsecure: self.arguments.has("insecure"), code: typed, way: way)
        try self.prepare(path)
        let answer = try await exchange.answer()
        do throws(CommandFault) {
            // Over http anyone on the way could have put a lasting place for themselves into the answer.
            let used = self.arguments.has("insecure") ? way : try way.completed(by: answer)
            try self.write(try self.text(answer, used), to: path)
            return used
        } catch {
            let key = answer["publicKey"]?.string.map { " \(terminalSafe($0, limit: 64))" } ?? ""
            throw CommandFault(
                error.failure.code,
                "\(error.failure.message) The code is used up: ask the server's operator for another, and to revoke the key "
                    + "pair\(key), which no box has.", error.exitCode)
        }
    }

    /// The server's words, from the operand or from standard input.
    private func answer() throws(CommandFault) -> JSONValue {
        let source = self.arguments.operands.first ?? "-"
        let name = source == "-" ? "standard input" : source
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes =
                source == "-"
                ? try BorrowedDescriptor.standardInput.read(limit: Self.answerLimit)
                : try WholeFile.read(source, limit: Self.answerLimit)
        } catch {
            throw CommandFault("input", "\(name) cannot be read: \(error).", .stateProblem)
        }
        guard let answer = JSONValue(reading: bytes), case .object = answer else {
            throw CommandFault(
                "input",
                "\(name) is not the server's answer: one JSON object, as 'latchkeyd keys issue --json' prints it.",
                .invalidData)
        }
        return answer
    }

    private func text(_ answer: JSONValue, _ way: BoxWay) throws(CommandFault) -> String {
        let server = try self.server()
        let requestor = try self.requestor(answer)
        let credential = try self.credential(answer)
        let more = [
            ("deviceName", self.arguments.value("name")), ("certificateAuthority", way.certificateAuthority),
            ("proxy", way.proxy),
        ].compactMap { name, value in value.map { "    \(name): \(quoted($0)),\n" } }.joined()
        return """
            // The configuration of latchkey, made by 'latchkey init'. 'latchkey --help' tells what may stand here.
            {
                server: \(quoted(server)),
                requestor: \(quoted(requestor)),
            \(credential)\(more)}

            """
    }

    private func server() throws(CommandFault) -> String {
        guard let server = self.arguments.value("server") else {
            throw CommandFault("usage", "--server is missing: the address that this box reaches the server at.", .usage)
        }
        guard let fault = Settings.serverFault(server) else { return server }
        let assurance = self.arguments.has("code") ? " The code is still good." : ""
        throw CommandFault("usage", "--server \(fault).\(assurance)", .usage)
    }

    private func credential(_ answer: JSONValue) throws(CommandFault) -> String {
        if let statement = answer["softwareStatement"]?.string, !statement.isEmpty {
            return "    softwareStatement: \(quoted(statement)),\n"
        }
        guard let publicKey = answer["publicKey"]?.string, let privateKey = answer["privateKey"]?.string else {
            throw CommandFault(
                "input", "The answer has neither publicKey and privateKey nor softwareStatement.", .invalidData)
        }
        return """
                keyPair: {
                    publicKey: \(quoted(publicKey)),
                    privateKey: \(quoted(privateKey)),
                },

            """
    }

    private func requestor(_ answer: JSONValue) throws(CommandFault) -> String {
        let offered = answer["requestors"]?.array?.compactMap(\.string) ?? []
        guard let requestor = self.arguments.value("requestor") ?? (offered.count == 1 ? offered[0] : nil) else {
            let names = offered.isEmpty ? "" : " It is good for \(terminalSafe(offered.joined(separator: ", ")))."
            throw CommandFault("usage", "--requestor is missing: the requestor to sign in for.\(names)", .usage)
        }
        guard RequestorID(requestor) != nil else {
            throw CommandFault("usage", "A requestor must be 1 to 64 letters, digits, '_' or '-'.", .usage)
        }
        guard offered.isEmpty || offered.contains(requestor) else {
            let hint = nearestName(to: requestor, among: offered).map { " Perhaps \($0) is meant." } ?? ""
            throw CommandFault(
                "input", "The credential is not good for \(terminalSafe(requestor)).\(hint)", .invalidData)
        }
        return requestor
    }

    /// Makes the folder, and finds out whether a file can be written there.
    private func prepare(_ path: String) throws(CommandFault) {
        guard (try? FileStatus(of: path)) == nil else { throw .exists(path) }
        do throws(SystemError) {
            try self.makeFolder(for: path)
            let probe = PrivateFile("\(path).probe")
            try probe.replace([])
            try probe.remove()
        } catch {
            throw CommandFault("state", "\(path) cannot be written: \(error).", .stateProblem)
        }
    }

    private func makeFolder(for path: String) throws(SystemError) {
        let folder = Folder.containing(path)
        if let group = self.agentGroup(path) {
            try Folder.makeReadable(folder, by: group)
        } else {
            try Folder.makePrivate(folder)
        }
    }

    private func write(_ text: String, to path: String) throws(CommandFault) {
        do throws(SystemError) {
            let group = self.agentGroup(path)
            try self.makeFolder(for: path)
            try PrivateFile(path).create(Array(text.utf8))
            try group?.take(path, mode: 0o640)
        } catch {
            guard error != .exists else { throw .exists(path) }
            throw CommandFault("state", "\(path) cannot be written: \(error).", .stateProblem)
        }
    }

    /// The group of the packaged agent, which reads what root configures (deploy/package/debian/latchkey/tmpfiles.conf); `nil`
    /// if the configuration is its user's alone.
    private func agentGroup(_ path: String) -> UnixGroup? {
        guard ThisProcess.effectiveUser == 0 else { return nil }
        guard let folder = try? FileStatus(of: Folder.containing(path), followsLinks: true) else {
            return path == Settings.defaultFile ? UnixGroup(named: "latchkey") : nil
        }
        return folder.isReadByGroupOfRoot ? UnixGroup(id: UInt32(folder.group)) : nil
    }
}

extension CommandFault {
    fileprivate static func exists(_ path: String) -> CommandFault {
        CommandFault(
            "exists", "\(path) exists already and is left as it is. Move it away, or name another with --config.",
            .stateProblem)
    }
}

/// The text between quotation marks, as JSON and JSON5 read it.
private func quoted(_ text: String) -> String { JSONValue.string(text).text }
