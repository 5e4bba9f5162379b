/// The keys that a log line may have. A closed set, so that no code, token, key or raw path is logged under a name that
/// looks harmless. Add a case when a fact is worth telling and is not one of those.
package enum MetadataKey: String, CaseIterable, Sendable {
    case address
    case application
    case box
    case bytes
    case channel
    case connections
    case count
    case detail
    case dropped
    case durationMicroseconds = "duration_us"
    case error
    case file
    case from
    case held
    case keyID = "key_id"
    case kind
    case limit
    case method
    case network
    case operation
    case part
    case provider
    case providers
    case reason
    case reference
    case remote
    case requestID = "request_id"
    case requestor
    case requestors
    case route
    case scope
    case service
    case setting
    case status
    case timelines
    case to
    case viewer
}

/// The facts of a log line, one of each key, in the order of the keys' names. They are few, and looked through one
/// after another.
package struct LogFacts: Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var all: [(key: MetadataKey, value: LogValue)] = []

    package init(dictionaryLiteral facts: (MetadataKey, LogValue)...) {
        self.all.reserveCapacity(8)
        for (key, value) in facts { self[key] = value }
    }

    package subscript(key: MetadataKey) -> LogValue? {
        get { self.all.first { $0.key == key }?.value }
        set {
            let place = self.all.firstIndex { $0.key.rawValue >= key.rawValue } ?? self.all.count
            if place < self.all.count, self.all[place].key == key { self.all.remove(at: place) }
            if let newValue { self.all.insert((key, newValue), at: place) }
        }
    }

    /// The same with others, each of which replaces the one of its key.
    package consuming func adding(_ facts: LogFacts) -> LogFacts {
        for (key, value) in facts.all { self[key] = value }
        return self
    }
}

package enum LogValue: Hashable, Sendable {
    case text(String)
    case number(Int)

    /// A duration in microseconds, the unit of every duration in the log.
    package static func microseconds(_ duration: Duration) -> LogValue { .number(duration.wholeMicroseconds) }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
}
