package import Clientless

/// The question of a caller of the monitoring service (rest-v1 E).
package struct MonitoringQuestion: Sendable {
    /// The dimensions of rows, in the words of the protocol. Some have one value here: there is no name above
    /// requestors, no proxy, one place for all data; every box counts alike, whichever library it has, and the partner
    /// framework of one vendor is not served.
    package enum Dimension: String, Hashable, Sendable, CaseIterable {
        case mediaCompany = "media-company"
        case year, month, day, hour, minute
        case requestor = "requestor-id"
        case proxy, mvpd
        case deviceType = "device"
        case platform
        /// The operating system, which is all that a box says of its platform.
        case operatingSystem = "os-family"
        /// The steps of boxes, in the words of ``BoxStep/Kind``.
        case event
        case dataCentre = "dc"
        case library = "nsdk"
        case partner = "eap"

        /// Whether it is bounded with a start and an end, and not filtered.
        package var isTime: Bool {
            switch self {
            case .year, .month, .day, .hour, .minute: true
            case .mediaCompany, .requestor, .proxy, .mvpd, .deviceType, .platform, .operatingSystem, .event,
                .dataCentre, .library, .partner:
                false
            }
        }

        func value(in key: ReportCount.Key, _ time: CivilTime) -> String {
            switch self {
            case .mediaCompany: "all"
            case .year: String(time.year)
            case .month: String(time.month)
            case .day: String(time.day)
            case .hour: String(time.hour)
            case .minute: time.minute.map { String($0) } ?? ""
            case .requestor: key.requestor.text
            case .proxy: "Direct"
            case .mvpd: key.mvpd?.text ?? ""
            case .deviceType: key.model.deviceType
            case .platform, .operatingSystem: key.model.platform
            case .event: key.event.rawValue
            case .dataCentre: "main"
            case .library: "non-sdk"
            case .partner: "N/A"
            }
        }
    }

    /// In the order of the columns, each once.
    package var dimensions: [Dimension]
    /// Which values of a dimension count; when inverted, those that are not among them.
    package var filters: [(dimension: Dimension, values: Set<String>, isInverted: Bool)] = []
    /// Columns of ``knownMetrics``.
    package var metrics: [String]
    package var limit = 1000

    /// The number of steps, which only reports by the step have by themselves.
    package static let count = "count"
    package static let knownMetrics = ReportTable.metrics + [count]

    package init(_ dimensions: [Dimension]) {
        self.dimensions = dimensions
        self.metrics = Self.usualMetrics(of: dimensions)
    }

    /// The columns of a report that names none.
    package static func usualMetrics(of dimensions: [Dimension]) -> [String] {
        dimensions.contains(.event) ? [self.count] : ReportTable.metrics
    }

    /// Whether rows are told apart by the minute, which is known of the last hour alone.
    package var isByMinute: Bool { self.dimensions.contains(.minute) }

    /// How far back a report goes whose start is not named: by its finest dimension of time.
    package var usualSpan: Duration {
        if self.isByMinute { return RecentCounts.span }
        if self.dimensions.contains(.hour) { return .seconds(86_400) }
        return .seconds((self.dimensions.contains(.day) ? 30 : 365) * 86_400)
    }

    /// The ways below a dimension of time that reports lead to; each may go on to the data centre.
    private static let ways: [[Dimension]] = [
        [], [.proxy, .mvpd, .requestor, .partner], [.proxy, .mvpd, .requestor, .platform],
        [.proxy, .mvpd, .requestor, .deviceType], [.requestor, .proxy, .mvpd], [.requestor, .platform, .library],
        [.requestor, .deviceType, .operatingSystem], [.event, .requestor, .proxy, .mvpd],
    ]

    /// The dimensions that a report by `path` leads on to. Every path in order is answered; these are the published ones,
    /// so that a program that follows all links comes to an end (rest-v1 E).
    package static func continuations(of path: [Dimension]) -> [Dimension] {
        let times: [Dimension] = [.mediaCompany, .year, .month, .day, .hour, .minute]
        if path.count < times.count, path.elementsEqual(times.prefix(path.count)), path.count < 4 {
            return [times[path.count]]
        }
        let head = path.prefix { times.contains($0) }
        guard head.count >= 4, head.elementsEqual(times.prefix(head.count)) else { return [] }
        let tail = path.dropFirst(head.count)
        var next: [Dimension] = tail.isEmpty && head.count < times.count ? [times[head.count]] : []
        for way in self.ways where way.starts(with: tail) {
            if way.count > tail.count, !next.contains(way[tail.count]) { next.append(way[tail.count]) }
            if !next.contains(.dataCentre) { next.append(.dataCentre) }
        }
        return next
    }

    /// Whether dimensions of time come in the order from the year to the minute, none of them left out.
    package static func isInOrder(_ dimensions: [Dimension]) -> Bool {
        let times = dimensions.filter(\.isTime)
        return times == Array([Dimension.year, .month, .day, .hour, .minute].prefix(times.count))
    }
}

/// The answer to a ``MonitoringQuestion``: a row for each combination, the earliest first.
package struct MonitoringReport: Hashable, Sendable {
    package let rows: [ReportTable.Row]

    /// - Parameter requestors: whose counts the caller may read.
    package init(_ counts: [ReportCount], _ question: MonitoringQuestion, of requestors: Set<RequestorID>) {
        var times: [Int64: CivilTime] = [:]
        let rows = ReportTable.rows(of: counts) { count in
            guard requestors.contains(count.key.requestor) else { return nil }
            let minutes = count.key.hour * 60 + Int64(count.key.minute ?? 0)
            let time = times[minutes] ?? CivilTime(hours: count.key.hour, minute: count.key.minute)
            times[minutes] = time
            let isMeant = question.filters.allSatisfy { filter in
                filter.values.contains(filter.dimension.value(in: count.key, time)) != filter.isInverted
            }
            return isMeant ? question.dimensions.map { $0.value(in: count.key, time) } : nil
        }
        let columns = question.metrics.compactMap { MonitoringQuestion.knownMetrics.firstIndex(of: $0) }
        let asked = rows.map { row in ReportTable.Row(values: row.values, numbers: columns.map { row.numbers[$0] }) }
        self.rows = Array(asked.sorted { Self.isBefore($0.values, $1.values) }.prefix(question.limit))
    }

    /// Numbers come by their size, other texts as they are.
    private static func isBefore(_ left: [String], _ right: [String]) -> Bool {
        for (one, other) in zip(left, right) where one != other {
            if let one = Int(one), let other = Int(other), one != other { return one < other }
            return one < other
        }
        return false
    }
}
