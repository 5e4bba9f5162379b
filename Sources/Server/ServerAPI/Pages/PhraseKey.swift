/// The sentences the program chooses; those a template always says are named in the template alone.
package enum PhraseKey: String, CaseIterable, Sendable {
    case codeMissing = "code.missing"
    case codeUnknown = "code.unknown"
    case codeOver = "code.over"
    case codeUsed = "code.used"

    case providerPick = "provider.pick"

    case signInMissing = "signIn.missing"
    case signInRefused = "signIn.refused"
    case signInTooMany = "signIn.tooMany"
    case signInOver = "signIn.over"

    case readOutUnsaid = "readOut.unsaid"
    case otherChannels = "done.otherChannels"

    case boxNamed = "boxes.named"
    case boxEnded = "boxes.ended"
    case namelessEnded = "boxes.namelessEnded"
    case boxesEnded = "boxes.allEnded"
    case boxNameMissing = "boxes.nameMissing"
    case boxUnknown = "boxes.unknown"

    case passkeyRefused = "passkey.refused"
    case passkeyLate = "passkey.late"
    case passkeyNotKept = "passkey.notKept"

    case sameNetwork = "confirm.sameNetwork"
    case otherNetwork = "confirm.otherNetwork"
    case grant = "confirm.grant"
    case preview = "confirm.preview"
    case previewUsedUp = "confirm.usedUp"
    case periodUntil = "period.until"
    case periodMinutes = "period.minutes"
    case periodHours = "period.hours"
    case networkPart = "network.part"
    case placeNearTown = "place.near"
    case placeInCountry = "place.in"

    case agoNow = "ago.now"
    case agoMinutes = "ago.minutes"
    case agoHours = "ago.hours"
    case clock = "clock.utc"
    case datedClock = "clock.dated"
    case date = "date.long"
    case firstOfMonth = "date.first"

    case retryInSeconds = "problem.retry.seconds"
    case retryInMinutes = "problem.retry.minutes"
    case retryInHours = "problem.retry.hours"

    case startAgain = "problem.action"
    case tryAgain = "problem.again"
    case choosePicker = "problem.picker"

    /// The keys of all that the program chooses, with those of the months and of the pages of trouble.
    static let names =
        allCases.map(\.rawValue) + ["language.name"] + (1...12).map { "month.\($0)" }
        + Problem.Kind.allCases.flatMap { [$0.heading, $0.explanation] }
}
