/// The vendor groups of the configuration: which applications each has, and its store.
final class VendorGroupDesk: Sendable {
    private struct Group: Sendable {
        let members: Set<Application>
        let store: SharedStore
    }

    private let groups: [String: Group]

    /// - Parameters:
    ///   - members: the applications of each group. A group's name is that of its file, see ``isName(_:)``.
    ///   - folder: where the files are.
    init(_ members: [String: Set<Application>], folder: String) {
        var groups: [String: Group] = [:]
        for (name, members) in members {
            groups[name] = Group(members: members, store: SharedStore(path: "\(folder)/\(name).json"))
        }
        self.groups = groups
    }

    /// Whether a group may have this name: 1 to 64 letters, digits, `.`, `_` and `-`, the first one a letter or a digit.
    static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return (1...64).contains(text.utf8.count) && text.utf8.first.map(isPlain) == true
            && text.utf8.allSatisfy { isPlain($0) || "._-".utf8.contains($0) }
    }

    /// The groups of a caller, by name. An operator is a member of none but those that name it, too.
    func names(of caller: Caller) -> [String] {
        self.groups.filter { $0.value.members.contains(caller.application) }.map(\.key).sorted()
    }

    func isMember(_ caller: Caller, of name: String) -> Bool {
        self.groups[name]?.members.contains(caller.application) ?? false
    }

    /// The store of a group.
    /// - Throws: the same for a group that is not there and for one of others: no caller learns which groups there are.
    func store(of name: String, for caller: Caller) throws(AgentError) -> SharedStore {
        guard let group = self.groups[name], group.members.contains(caller.application) else {
            throw AgentError(.notFound, "\(caller.application) is in no vendor group of this name.")
        }
        return group.store
    }
}
