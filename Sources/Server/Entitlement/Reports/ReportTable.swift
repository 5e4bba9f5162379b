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
        /// In the order of ``ReportTable/dimensions``.
        package let values: [String]
        /// In the order of ``ReportTable/metrics``.
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
        var sums: [[String]: [Int]] = [:]
        for count in counts {
            let hour = hourText(Timestamp(seconds: count.key.hour * 3600))
            let values = dimensions.map { dimension in
                switch dimension {
                case .day: String(decoding: hour.utf8.prefix(10), as: UTF8.self)
                case .hour: hour
                case .requestor: count.key.requestor.text
                case .mvpd: count.key.mvpd?.text ?? ""
                case .deviceType: count.key.model.deviceType
                case .platform: count.key.model.platform
                }
            }
            var numbers = sums[values] ?? Array(repeating: 0, count: Self.metrics.count)
            for place in Self.places(of: count.key.event) { numbers[place] += count.count }
            sums[values] = numbers
        }
        self.dimensions = dimensions
        self.rows = sums.map { Row(values: $0.key, numbers: $0.value) }
            .sorted { $0.values.lexicographicallyPrecedes($1.values) }
    }

    static func places(of event: BoxStep.Kind) -> [Int] {
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
