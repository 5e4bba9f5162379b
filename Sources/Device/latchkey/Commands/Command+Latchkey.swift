import CommandLineTool

extension Command {
    /// The command line of `latchkey`; its help texts are the documentation of options, events and exit codes.
    static let latchkey = Command(
        "latchkey", "Sign this box in to a TV provider, and get media tokens for it",
        discussion: [
            """
            Settings come from a JSON5 file, by default /etc/latchkey/latchkey.json5, and from options, which win. \
            Its members: server, requestor, softwareStatement or keyPair {publicKey, privateKey}, deviceName, model, \
            scope, pollInterval (seconds, 1 to 60), activationURL, insecure (true or false). Only its own user may read \
            a file with a key pair.
            """,
            """
            State is kept in one file, mode 0600: $XDG_STATE_HOME/latchkey/state.json if that variable is set, \
            otherwise /var/lib/latchkey/state.json.
            """,
            """
            Results go to stdout and talk to stderr. With --json stdout gets one event a line, an object with \
            "version" 1 and "event", and stderr stays quiet. Members may be added to events, and events to the list; \
            "version" changes when one changes its meaning.
            """,
        ],
        options: [
            .value("server", "URL", "The server, such as https://tve.example.net"),
            .value("requestor", "ID", "The channel brand to sign in for"),
            .value("config", "FILE", "Read settings from this file"),
            .value("state", "FILE", "Keep state in this file"),
            .flag("insecure", "Speak http with a server beyond this box; everybody in the network can listen"),
            .flag("json", "Print events as JSON, one a line"),
        ],
        examples: [
            CommandExample("latchkey pair", "show a code and wait until somebody has signed in"),
            CommandExample("latchkey authorize NorthSportHD", "print a media token for a channel"),
        ],
        subcommands: [.pair, .status, .authorize, .logout])

    private static let pair = Command(
        "pair", "Sign this box in with a phone or another computer",
        discussion: [
            """
            Shows an address, a code and, where the terminal can, a QR code, and waits until somebody has signed in \
            there. Interrupted, killed or switched off, it shows the same code again for as long as it lives. Two at \
            once share a code. A code that ran out before anybody entered it is followed by a new one.
            """,
            """
            Forms of the QR code: auto (the best that the terminal shows), half (half blocks), full (coloured spaces), \
            ascii (for dark grounds), ascii-inverted (for light ones), sixel and kitty (pictures, on terminals that \
            say they know them), none.
            """,
            """
            Events: code {code, grouped, url, qrPayload, shortURL, qr, expires, resumed}; pageOpened; state {state: waiting, loggingIn, \
            confirming}; providerRefused {reason}; connectionProblem; connectionRestored; signedIn {mvpd, name, \
            expires, already}; declined; cancelled; expired; interrupted; warning {message}; error {code, message, \
            exitCode}. Times are milliseconds since 1970.
            """,
        ],
        options: [
            .flag("again", "Show a code even if somebody is signed in"),
            .flag("once", "End when a code ran out, instead of showing a new one"),
            .value("qr-format", "FORM", "How to draw the QR code"),
            .value("qr-png", "FILE", "Keep a PNG picture of the QR code in this file while the code is on show"),
        ],
        examples: [CommandExample("latchkey pair --json", "for a program that draws the code itself")],
        exitCodes: [.success, .declined, .expired] + Self.commonExitCodes + [.interrupted, .terminated])

    private static let status = Command(
        "status", "Say who is signed in on this box",
        discussion: ["Event: status {signedIn, mvpd, name, expires}."],
        exitCodes: [.success, .notSignedIn] + Self.commonExitCodes)

    private static let authorize = Command(
        "authorize", "Print a media token for a channel or programme",
        discussion: [
            """
            The token alone goes to stdout. When the provider refuses, its own words go to stderr. Event: mediaToken \
            {resource, token, expires}.
            """
        ],
        operands: [CommandOperand("RESOURCE", "The resource, as agreed with the provider")],
        examples: [CommandExample("token=$(latchkey authorize NorthSportHD)", "for a script that starts a player")],
        exitCodes: [.success, .notSignedIn, .notAuthorized] + Self.commonExitCodes)

    private static let logout = Command(
        "logout", "Sign this box out",
        discussion: ["Event: signedOut."],
        exitCodes: [.success] + Self.commonExitCodes)

    private static let commonExitCodes: [ExitCode] = [
        .failure, .usage, .unreachable, .stateProblem, .credentialsRefused, .configuration,
    ]
}
