package import Clientless

/// What became of a new code.
package enum CodeInsertion: Hashable, Sendable {
    /// Kept; these older codes of the same device were cancelled for it.
    case inserted(cancelled: [RegistrationCodeText])
    /// The text is taken. Nothing was kept; draw another.
    case taken
}

/// A place in a store's feed of changes; only order matters.
package struct ChangePosition: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    package static func < (left: ChangePosition, right: ChangePosition) -> Bool { left.number < right.number }
}

/// One change that memory of earlier answers has to hear of. New codes are not listed: nobody can have asked before.
package struct StoreChange: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case code(RegistrationCodeText)
        case device(DeviceHash)
        /// Key pairs or applications.
        case credentials
        case degradation
    }

    package let position: ChangePosition
    package let subject: Subject

    package init(position: ChangePosition, subject: Subject) {
        self.position = position
        self.subject = subject
    }
}

/// A store could not do what was asked; nothing of it was done.
package struct StoreError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case unavailable, full, readOnly, damaged, newerSchema }
        private let value: Value

        /// Not reachable, busy for too long, or closed.
        package static let unavailable = Code(value: .unavailable)
        /// The disk is full.
        package static let full = Code(value: .full)
        /// The folder or file may not be written.
        package static let readOnly = Code(value: .readOnly)
        /// What was read makes no sense.
        package static let damaged = Code(value: .damaged)
        /// A newer program wrote it.
        package static let newerSchema = Code(value: .newerSchema)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// For operators; never sent.
    package let detail: String

    package init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "store: \(self.code)" }
    package var debugDescription: String { "store: \(self.code): \(self.detail)" }
}
