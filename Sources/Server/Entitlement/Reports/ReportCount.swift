package import Clientless

/// How often something happened in one hour to boxes of one kind, at one provider, for one requestor.
package struct ReportCount: Hashable, Sendable {
    /// What is counted together.
    package struct Key: Hashable, Sendable {
        /// Hours since 1970 (UTC).
        package let hour: Int64
        package let requestor: RequestorID
        /// `nil` where no provider was picked yet.
        package let mvpd: MVPDID?
        package let model: BoxModel
        package let event: BoxEvent.Kind

        package init(hour: Int64, requestor: RequestorID, mvpd: MVPDID?, model: BoxModel, event: BoxEvent.Kind) {
            self.hour = hour
            self.requestor = requestor
            self.mvpd = mvpd
            self.model = model
            self.event = event
        }

        init(_ event: BoxEvent, model: BoxModel) {
            self.init(
                hour: Self.hour(of: event.time), requestor: event.requestor, mvpd: event.mvpd, model: model,
                event: event.kind)
        }

        /// The hour that a moment is in.
        package static func hour(of moment: Timestamp) -> Int64 { moment.seconds / 3600 }
    }

    package let key: Key
    package let count: Int

    package init(_ key: Key, count: Int) {
        self.key = key
        self.count = count
    }
}
