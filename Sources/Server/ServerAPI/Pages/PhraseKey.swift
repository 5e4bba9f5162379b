/// The sentences the program chooses; those a template always says are named in the template alone.
package enum PhraseKey: String, CaseIterable, Sendable {
    case codeMissing = "code.missing"
    case codeUnknown = "code.unknown"

    case providerPick = "provider.pick"

    case signInMissing = "signIn.missing"
    case signInRefused = "signIn.refused"
    case signInTooMany = "signIn.tooMany"

    case sameNetwork = "confirm.sameNetwork"
    case otherNetwork = "confirm.otherNetwork"
    case unknownNetwork = "confirm.unknownNetwork"
    case networkPart = "network.part"
    case networkLoopback = "network.loopback"
    case networkUnknown = "network.unknown"

    case agoNow = "ago.now"
    case agoMinutes = "ago.minutes"
    case agoHours = "ago.hours"
    case clock = "clock.utc"

    case retryInSeconds = "problem.retry.seconds"
    case retryInMinutes = "problem.retry.minutes"

    case malformedTitle = "problem.malformed.title"
    case malformedText = "problem.malformed.text"
    case codeTitle = "problem.code.title"
    case codeText = "problem.code.text"
    case sessionTitle = "problem.session.title"
    case sessionText = "problem.session.text"
    case attemptsTitle = "problem.attempts.title"
    case attemptsText = "problem.attempts.text"
    case providerTitle = "problem.provider.title"
    case providerText = "problem.provider.text"
    case missingTitle = "problem.missing.title"
    case missingText = "problem.missing.text"
    case methodTitle = "problem.method.title"
    case methodText = "problem.method.text"
    case busyTitle = "problem.busy.title"
    case busyText = "problem.busy.text"
    case troubleTitle = "problem.trouble.title"
    case troubleText = "problem.trouble.text"
}
