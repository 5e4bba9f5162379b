import Clientless

/// The permissions of the applications on the box: those that were decided, and those that were asked for.
struct PermissionBook: Hashable, Sendable {
    /// More applications than a box has; the file stays small.
    static let decidedLimit = 1024
    /// Applications can be made up by their users: the one that asked first makes room.
    static let askedLimit = 64

    private(set) var decided: [Application: Permission] = [:]
    /// In the order they asked; not kept over a restart.
    private(set) var asked: [Application] = []

    subscript(application: Application) -> Permission { self.decided[application] ?? .undetermined }

    /// Everything that is known, by name.
    var all: [(application: Application, permission: Permission)] {
        let known = self.decided.map { ($0.key, $0.value) } + self.asked.map { ($0, .undetermined) }
        return known.sorted { $0.0.name < $1.0.name }
    }

    /// - Returns: whether it had not asked before.
    mutating func ask(for application: Application) -> Bool {
        guard self[application] == .undetermined, !self.asked.contains(application) else { return false }
        if self.asked.count >= Self.askedLimit { self.asked.removeFirst() }
        self.asked.append(application)
        return true
    }

    /// - Returns: `false` when there is no room for one more.
    mutating func decide(_ permission: Permission, for application: Application) -> Bool {
        switch permission {
        case .undetermined: self.decided[application] = nil
        case .granted, .denied:
            guard self.decided[application] != nil || self.decided.count < Self.decidedLimit else { return false }
            self.decided[application] = permission
        }
        self.asked.removeAll { $0 == application }
        return true
    }
}

extension PermissionBook {
    /// The kept decisions, sorted, on lines that a person can read.
    var content: [UInt8] {
        let lines = self.decided.sorted { $0.key.name < $1.key.name }.map { application, permission in
            "    \(JSONValue.string(application.name).text): \(JSONValue.string(permission.rawValue).text)"
        }
        let list = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }"
        return Array("{\n  \"version\": 1,\n  \"permissions\": \(list)\n}\n".utf8)
    }

    /// - Returns: `nil` for a content that cannot be understood.
    init?(content: [UInt8]) {
        guard let json = JSONValue(reading: content), json["version"]?.integer == 1,
            case .object(let members) = json["permissions"], members.count <= Self.decidedLimit
        else { return nil }
        for member in members {
            guard let application = Application(member.name),
                let permission = member.value.string.flatMap({ Permission(rawValue: $0) })
            else { return nil }
            self.decided[application] = permission
        }
    }
}
