import BoxEvents
import Clientless
import CommandLineTool
import FoundationEssentials
import POSIX

/// Makes the configuration out of the server's answer to `latchkeyd keys issue --json` or
/// `latchkeyd keys application issue --json`.
struct SetUp {
    /// More than any answer of the server.
    private static let limit = 64 << 10

    let arguments: ParsedArguments
    let reporter: Reporter

    func run() -> ExitCode {
        do throws(SetUpFault) {
            let path = self.arguments.value("config") ?? Settings.defaultFile
            let text = try self.text(try self.answer())
            try self.write(text, to: path)
            return self.reporter.result(
                .configured(file: path), "The configuration is in \(path). 'latchkey doctor' checks it.")
        } catch {
            return self.reporter.fail(BoxEvent.Failure(code: error.code, message: error.sentence), error.exitCode)
        }
    }

    /// What the server said, from the operand or from standard input.
    private func answer() throws(SetUpFault) -> JSONValue {
        let source = self.arguments.operands.first ?? "-"
        let name = source == "-" ? "standard input" : source
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes =
                source == "-"
                ? try BorrowedDescriptor.standardInput.read(limit: Self.limit)
                : try WholeFile.read(source, limit: Self.limit)
        } catch {
            throw SetUpFault("input", "\(name) cannot be read: \(error).", .stateProblem)
        }
        guard let answer = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)), case .object = answer else {
            throw SetUpFault(
                "input",
                "\(name) is not the server's answer: one JSON object, as 'latchkeyd keys issue --json' prints it.",
                .invalidData)
        }
        return answer
    }

    /// The configuration as it is written.
    private func text(_ answer: JSONValue) throws(SetUpFault) -> String {
        guard let server = self.arguments.value("server") else {
            throw SetUpFault(
                "usage", "--server is missing: the address that this box reaches the server at.", .usage)
        }
        guard Settings.webURL(server) != nil else {
            throw SetUpFault(
                "usage", "--server must be an http or https address without query and fragment.", .usage)
        }
        let requestor = try self.requestor(answer)
        let credential: String
        if let statement = answer["softwareStatement"]?.string, !statement.isEmpty {
            credential = "    softwareStatement: \(quoted(statement)),\n"
        } else if let publicKey = answer["publicKey"]?.string, let privateKey = answer["privateKey"]?.string {
            credential = """
                    keyPair: {
                        publicKey: \(quoted(publicKey)),
                        privateKey: \(quoted(privateKey)),
                    },

                """
        } else {
            throw SetUpFault(
                "input", "The answer has neither publicKey and privateKey nor softwareStatement.", .invalidData)
        }
        let name = self.arguments.value("name").map { "    deviceName: \(quoted($0)),\n" } ?? ""
        return """
            // The configuration of latchkey, made by 'latchkey init'. 'latchkey --help' tells what may stand here.
            {
                server: \(quoted(server)),
                requestor: \(quoted(requestor)),
            \(credential)\(name)}

            """
    }

    private func requestor(_ answer: JSONValue) throws(SetUpFault) -> String {
        let offered = answer["requestors"]?.array?.compactMap(\.string) ?? []
        guard let requestor = self.arguments.value("requestor") ?? (offered.count == 1 ? offered[0] : nil) else {
            let names = offered.isEmpty ? "" : " It is good for \(terminalSafe(offered.joined(separator: ", ")))."
            throw SetUpFault("usage", "--requestor is missing: the channel brand to sign in for.\(names)", .usage)
        }
        guard RequestorID(requestor) != nil else {
            throw SetUpFault("usage", "A requestor must be 1 to 64 letters, digits, '_' or '-'.", .usage)
        }
        guard offered.isEmpty || offered.contains(requestor) else {
            let hint = nearestName(to: requestor, among: offered).map { " Perhaps \($0) is meant." } ?? ""
            throw SetUpFault(
                "input", "The credential is not good for \(terminalSafe(requestor)).\(hint)", .invalidData)
        }
        return requestor
    }

    private func write(_ text: String, to path: String) throws(SetUpFault) {
        let folder = Folder.containing(path)
        do throws(SystemError) {
            if let group = self.agentGroup(path) {
                try Folder.makeReadable(folder, by: group)
                try PrivateFile(path).create(Array(text.utf8))
                try PrivateFile(path).letRead(by: group)
            } else {
                try Folder.makePrivate(folder)
                try PrivateFile(path).create(Array(text.utf8))
            }
        } catch {
            guard error != .exists else {
                throw SetUpFault(
                    "exists",
                    "\(path) exists already and is left as it is. Move it away, or name another with --config.",
                    .stateProblem)
            }
            throw SetUpFault("state", "\(path) cannot be written: \(error).", .stateProblem)
        }
    }
}

extension SetUp {
    /// The group of the packaged agent, which reads what root configures (deploy/debian/latchkey/tmpfiles.conf); `nil`
    /// where the configuration is its user's alone.
    private func agentGroup(_ path: String) -> UnixGroup? {
        guard ThisProcess.user.number == 0 else { return nil }
        guard let folder = try? FileStatus(of: Folder.containing(path), followsLinks: true) else {
            return path == Settings.defaultFile ? UnixGroup(named: "latchkey") : nil
        }
        return folder.isReadByGroupOfRoot ? UnixGroup(id: UInt32(folder.group)) : nil
    }
}

/// Why there is no configuration.
private struct SetUpFault: Error {
    let code: String
    let sentence: String
    let exitCode: ExitCode

    init(_ code: String, _ sentence: String, _ exitCode: ExitCode) {
        self.code = code
        self.sentence = sentence
        self.exitCode = exitCode
    }
}

/// The text between quotation marks, as JSON and JSON5 read it.
private func quoted(_ text: String) -> String { JSONValue.string(text).text }
