import Clientless

/// How long a viewer has to wait, in words and in whole units, rounded up: trying at the time told works.
enum WaitingTime {
    static func phrase(_ duration: Duration) -> Phrase {
        let seconds = self.wholeSeconds(duration)
        return seconds <= 90
            ? Phrase(.retryInSeconds, ["count": .number(seconds)])
            : Phrase(.retryInMinutes, ["count": .number((seconds + 59) / 60)])
    }

    /// The value of `Retry-After`: at least one.
    static func wholeSeconds(_ duration: Duration) -> Int {
        max(1, Int((duration.wholeMilliseconds + 999) / 1000))
    }
}
