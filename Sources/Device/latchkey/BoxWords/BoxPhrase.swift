/// The sentences of the box, by their keys in `locales/`.
enum BoxPhrase: String, CaseIterable, Sendable {
    // Around address and code on the screen.
    case layoutScan = "layout.scan"
    case layoutScanBelow = "layout.scanBelow"
    case layoutOpen = "layout.open"
    case layoutHere = "layout.here"
    case layoutProvider = "layout.provider"
    case layoutCode = "layout.code"
    case layoutAndCode = "layout.andCode"
    case layoutTooSmall = "layout.tooSmall"

    // The same where lines go by.
    case lineOpen = "line.open"
    case lineProvider = "line.provider"

    // How far the viewer is.
    case stepWaiting = "step.waiting"
    case stepOpened = "step.opened"
    case stepSigningIn = "step.signingIn"
    case stepConfirming = "step.confirming"
    case stepLine = "step.line"
    case stepLeft = "step.left"
    case stepCutOff = "step.cutOff"

    // The states of the code.
    case codeResumed = "code.resumed"
    case codeRenewed = "code.renewed"
    case codeShared = "code.shared"
    case refused = "refused"
    case refusedBecause = "refused.because"
    case refusedPassword = "refused.password"

    // The end.
    case ready = "ready"
    case readyAlready = "ready.already"
    case declined = "declined"
    case withdrawn = "withdrawn"
    case expiredUnused = "expired.unused"
    case expiredOpened = "expired.opened"
    case noProvider = "noProvider"
    case stopped = "stopped"
    case stoppedKept = "stopped.kept"
    case lateKept = "late.kept"
    case lateUnreachable = "late.unreachable"

    // The sign-out.
    case signedOut = "signedOut"
    case signedOutPage = "signedOut.page"

    // Trouble on the way to the server.
    case troubleTrying = "trouble.trying"
    case troubleOver = "trouble.over"
    case troubleUnreachable = "trouble.unreachable"
    case troubleName = "trouble.name"
    case troubleFault = "trouble.fault"
    case troubleBusy = "trouble.busy"
    case troubleBusyFor = "trouble.busyFor"
    case troubleAnswer = "trouble.answer"

    // The clock, and certificates that do not verify.
    case clockImpossible = "clock.impossible"
    case clockOff = "clock.off"
    case clockExpired = "clock.expired"
    case clockEarly = "clock.early"
    case certificateUnknown = "certificate.unknown"
    case certificateUntrusted = "certificate.untrusted"
}
