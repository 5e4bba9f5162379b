import Synchronization

/// What a test does to each node of a fleet at the moment, so that a call without an answer can be told from a broken one.
final class NodeTroubles: Sendable {
    enum Trouble: Sendable {
        case none
        /// The node is gone, or comes back.
        case down
        /// It has connections and does not answer.
        case silent
    }

    private struct Place {
        var trouble: Trouble
        /// Counts the beginnings and ends of trouble.
        var turn = 0
    }

    /// Whether a call's time fell into trouble of its node.
    struct Excuse: Sendable {
        fileprivate let node: Int
        fileprivate let turn: Int
        fileprivate let wasTroubled: Bool
    }

    private let places: Mutex<[Place]>

    init(nodes: Int, _ trouble: Trouble) { self.places = Mutex((0..<nodes).map { _ in Place(trouble: trouble) }) }

    func set(_ node: Int, _ trouble: Trouble) {
        self.places.withLock {
            $0[node].trouble = trouble
            $0[node].turn += 1
        }
    }

    func isSilent(_ node: Int) -> Bool { self.places.withLock { $0[node].trouble == .silent } }

    func excuse(_ node: Int) -> Excuse {
        self.places.withLock {
            Excuse(node: node, turn: $0[node].turn, wasTroubled: $0[node].trouble != .none)
        }
    }

    /// Whether the node was in trouble at any time since `excuse` was made.
    func excuses(_ excuse: Excuse) -> Bool {
        excuse.wasTroubled || self.places.withLock { $0[excuse.node].turn != excuse.turn }
    }
}
