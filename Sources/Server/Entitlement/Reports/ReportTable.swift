package import Clientless

/// Counts grouped by what an operator asks for: a row for each combination, a column for each number.
package struct ReportTable: Hashable, Sendable {
    /// The dimensions of rows, in the words of rest-v1 E.
    package enum Dimension: String, Hashable, Sendable, CaseIterable {
        case day
        case hour
        case requestor = "requestor-id"
        case mvpd
        case deviceType = "device"
        case platform
    }

    package struct Row: Hashable, Sendable {
        /// In the order of the dimensions.
        package let values: [String]
        /// In the order of the metrics.
        package let numbers: [Int]
    }

    package static let metrics = [
        "codes", "codes-opened", "authn-attempts", "authn-failed", "authn-successful", "declined", "authz-attempts",
        "authz-successful", "authz-failed", "media-tokens",
    ]

    package let dimensions: [Dimension]
    package let rows: [Row]

    /// - Parameter hourText: an hour as a moment, such as `2026-01-31T20:00:00Z`; its first ten bytes are the day.
    package init(_ counts: [ReportCount], by dimensions: [Dimension], hourText: (Timestamp) -> String) {
        let rows = Self.rows(of: counts) { count in
            let hour = hourText(Timestamp(seconds: count.key.hour * 3600))
            return dimensions.map { dimension in
                switch dimension {
                case .day: String(decoding: hour.utf8.prefix(10), as: UTF8.self)
                case .hour: hour
                case .requestor: count.key.requestor.text
                case .mvpd: count.key.mvpd?.text ?? ""
                case .deviceType: count.key.model.deviceType
                case .platform: count.key.model.platform
                }
            }
        }
        self.dimensions = dimensions
        self.rows = rows.map { Row(values: $0.values, numbers: $0.numbers.dropLast()) }
            .sorted { $0.values.lexicographicallyPrecedes($1.values) }
    }

    /// Adds counts up that have the same values, in no order; the last number is that of the steps.
    /// - Parameter values: of a count; `nil` leaves it out.
    static func rows(of counts: [ReportCount], by values: (ReportCount) -> [String]?) -> [Row] {
        let none = Array(repeating: 0, count: self.metrics.count + 1)
        var sums: [[String]: [Int]] = [:]
        for count in counts {
            guard let values = values(count) else { continue }
            for place in self.places(of: count.key.event) + [self.metrics.count] {
                sums[values, default: none][place] += count.count
            }
        }
        return sums.map { Row(values: $0.key, numbers: $0.value) }
    }

    private static func places(of event: BoxStep.Kind) -> [Int] {
        switch event {
        case .codeMade: [0]
        case .codeOpened: [1]
        case .signInBegun: [2]
        case .signInRefused: [3]
        case .confirmed: [4]
        case .declined: [5]
        case .permitted: [6, 7]
        case .permitRefused: [6, 8]
        case .mediaToken: [9]
        }
    }
}
