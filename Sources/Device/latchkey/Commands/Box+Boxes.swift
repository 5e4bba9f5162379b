import AccessEnabler
import Clientless
import CommandLineTool
import POSIX

// The viewer's boxes: which they are, and the end of another one.
extension Box {
    func boxes() async throws(EntitlementError) -> ExitCode {
        try await self.configure()
        let list = try await self.enabler.viewerBoxes()
        return self.reporter.tell(.boxes(list.boxes.map { BoxEvent.ViewerBox($0) }, hasMore: list.hasMore))
    }

    func signOutBox(_ name: String, isConfirmed: Bool) async throws(EntitlementError) -> ExitCode {
        try await self.configure()
        let boxes = try await self.enabler.viewerBoxes().boxes.map { BoxEvent.ViewerBox($0) }
        return try await self.reporter.signOutBox(name, among: boxes, isConfirmed: isConfirmed) {
            (box) throws(EntitlementError) in try await self.enabler.signOut(box: box)
        }
    }
}

extension Reporter {
    /// Signs one of the viewer's boxes out.
    /// - Parameters:
    ///   - name: its name in the list, the beginning of that, or what it calls itself.
    ///   - isConfirmed: whether the viewer need not be asked.
    ///   - signOut: takes the name in the list, and returns whether the box was signed in.
    func signOutBox<Failure: Error>(
        _ name: String, among boxes: [BoxEvent.ViewerBox], isConfirmed: Bool,
        _ signOut: (String) async throws(Failure) -> Bool
    ) async throws(Failure) -> ExitCode {
        let box: BoxEvent.ViewerBox
        do throws(CommandFault) {
            box = try boxes.box(named: name)
        } catch {
            return self.fail(error)
        }
        if !isConfirmed {
            guard !self.isJSON, BorrowedDescriptor.standardInput.isTerminal else {
                return self.fail(CommandFault("usage", "--yes is missing: there is no terminal to ask on.", .usage))
            }
            self.show("Sign out \(box.title), \(box.period)? It then needs a new code to play. [y/N] ")
            guard Self.saysYes() else {
                self.say("Nothing was changed.")
                return .failure
            }
        }
        guard try await signOut(box.box) else {
            return self.fail(CommandFault("not_found", "\(box.title) is signed out already.", .failure))
        }
        return self.end(.boxSignedOut(box), "\(box.title) is signed out.")
    }

    private static func saysYes() -> Bool {
        guard let line = try? BorrowedDescriptor.standardInput.line(limit: 64) else { return false }
        let answer = String(decoding: line, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }
}

extension [BoxEvent.ViewerBox] {
    /// The box that a word means: its name in the list, the beginning of that, or what it calls itself.
    /// - Throws: if the word means none of them, several, or the box that asks.
    fileprivate func box(named name: String) throws(CommandFault) -> BoxEvent.ViewerBox {
        var found = self.filter { $0.box == name }
        if found.isEmpty { found = self.filter { $0.name == name } }
        // With or without the hyphen that makes it easy to read out. Less than four digits are no beginning.
        let digits = name.lowercased().filter { $0 != "-" && $0 != " " }
        if found.isEmpty, digits.utf8.count >= 4 {
            found = self.filter { $0.box.filter { $0 != "-" }.hasPrefix(digits) }
        }
        let shown = terminalSafe(name)
        guard let box = found.first else {
            throw CommandFault("not_found", "None of your boxes is '\(shown)'. 'latchkey boxes' lists them.", .failure)
        }
        guard found.count == 1 else {
            throw CommandFault(
                "ambiguous",
                "More than one of your boxes is '\(shown)'. Take the first column of 'latchkey boxes'.", .failure)
        }
        guard !box.isThis else {
            throw CommandFault("this_box", "'\(shown)' is this box. 'latchkey logout' signs it out.", .failure)
        }
        return box
    }
}

extension BoxEvent.ViewerBox {
    init(_ box: AccessEnabler.ViewerBox) {
        self.init(
            box: terminalSafe(box.handle, limit: 64), name: box.name, model: box.model,
            since: box.since.milliseconds, seen: box.seen?.milliseconds, expires: box.expires.milliseconds,
            isThis: box.isThis)
    }

    var title: String {
        let words = [self.name, self.model].compactMap { $0.map { terminalSafe($0, limit: 60) } }.filter { !$0.isEmpty }
        return switch words.count {
        case 2: "\(words[0]) (\(words[1]))"
        case 1: words[0]
        default: "a box without a name"
        }
    }

    var period: String {
        let seen = self.seen.map { "last seen \(Timestamp(milliseconds: $0).timeText), " } ?? ""
        return "signed in \(Timestamp(milliseconds: self.since).timeText), \(seen)until "
            + Timestamp(milliseconds: self.expires).timeText
    }
}
