import CommandLineTool

/// The command line of `latchkey`. Its help texts are the documentation of options, events and exit codes, and the
/// manual page and the completions of shells are made of it.
enum LatchkeyCommands {
    static let root = BoxCommand(
        group: "latchkey", "Sign this box in to a TV provider, and get media tokens for it",
        discussion: [
            """
            To begin: 'latchkey init' writes the configuration out of what the server's operator gives you, 'latchkey \
            doctor' checks it, 'latchkey pair' shows a code for a phone, and 'latchkey authorize' then gives a media \
            token for each playback.
            """,
            """
            Settings come from a JSON5 file, by default /etc/latchkey/latchkey.json5, and from options, which win. \
            Its members: server, requestor, softwareStatement or keyPair {publicKey, privateKey}, deviceName, model, \
            language, scope, pollInterval (seconds, 1 to 60), activationURL, certificateAuthority (a PEM file with the only \
            authorities that are trusted), proxy (http://, https:// or socks5h://), proxyExcept (hosts), insecure (true \
            or false). Only its own user may read a file with a key pair.
            """,
            """
            State is kept in one file, mode 0600: $XDG_STATE_HOME/latchkey/state.json if that variable is set, \
            otherwise /var/lib/latchkey/state.json.
            """,
            """
            If 'latchkey agent' runs, the commands status, providers, authorize, preauthorize, metadata, logout and \
            boxes ask it, and only need its permission. With --server, --state or --verbose they ask the server \
            themselves, and also with a --config that does not name the agent's socket.
            """,
            """
            Results go to stdout, messages to stderr. With --json, stdout only gets events, one JSON object a line \
            with "version" 1, "event" and "time" (milliseconds since 1970). stderr stays quiet unless you add \
            --verbose. A command that fails ends with the event error {code, message, exitCode}. Later versions may \
            add members and events; "version" changes when one changes its meaning. The JSON Schema is \
            events.schema.json. Only 'boxes sign-out' without --yes asks a question, on a terminal.
            """,
        ],
        options: [
            .value("server", "URL", "The server, such as https://tve.example.net"),
            .value("requestor", "ID", "The requestor to sign in for, else the configuration's, or its first"),
            .value("config", "FILE", "Read settings from this file"),
            .value("state", "FILE", "Keep state in this file"),
            .flag("insecure", "Speak http with a server beyond this box; others in the network can listen"),
            .flag("json", "Print events as JSON, one a line"),
            .flag("verbose", "Say on stderr what happens inside"),
        ],
        examples: [
            "latchkey init --server https://tve.example.net key.json": "make the configuration",
            "latchkey pair": "show a code and wait until a viewer has signed in",
            "latchkey authorize NorthSportHD": "print a media token for a channel",
            "latchkey doctor": "find out why it does not work",
        ],
        [
            Self.initialise, Self.doctor, Self.pair, Self.status, Self.providers, Self.authorize, Self.preauthorize,
            Self.metadata, Self.logout, Self.boxes, Self.agent, Self.account, Self.permission,
        ])

    private static let initialise = BoxCommand(
        "init", "Make the configuration out of the server's answer or a set-up code",
        discussion: [
            """
            Reads what 'latchkeyd keys issue --json' or 'latchkeyd keys application issue --json' printed, from FILE \
            or from standard input, and writes the configuration: mode 0600, or mode 0640 for the group of the \
            packaged agent where root makes it. It never overwrites an existing file. Event: configured {file}.
            """,
            """
            With --code it asks the server instead. The operator gets the code from 'latchkeyd keys issue \
            --setup-code'. It works once, for one box, which gets a key pair that no other box has. The command \
            checks that it can write the configuration before it uses the code.
            """,
            """
            If the box's network has its own certificates or a proxy, add --certificate-authority and --proxy. The \
            command uses them to reach the server and writes them to the configuration. Without them it writes what \
            the server's answer says.
            """,
        ],
        options: [
            .value("code", "CODE", "A set-up code, in place of FILE"),
            .value("certificate-authority", "FILE", "The only certificate authorities that the box trusts, PEM"),
            .value("proxy", "URL", "The proxy that the box reaches the server through"),
            .value("name", "NAME", "The name of this box on the page, such as Living room"),
        ],
        operands: [CommandOperand("FILE", "The server's answer; - for standard input", count: .optional)],
        examples: [
            "latchkeyd keys issue --requestor DEMO --json | latchkey init --server https://tve.example.net":
                "on a machine that is server and box",
            "latchkey init --server https://tve.example.net key.json": "from a file that was sent",
            "latchkey init --server https://tve.example.net --code 7KQ4-M2XB-CDFG": "with a set-up code",
        ],
        exitCodes: [
            .success, .failure, .usage, .invalidData, .unreachable, .stateProblem, .credentialsRefused,
        ]
    ) { try await $0.setUp() }

    private static let doctor = BoxCommand(
        "doctor", "Check everything that this box needs, and say what to do",
        discussion: [
            """
            Checks, in this order: configuration, permissions, state-file, proxy, own-ca, dns, server, tls, clock, \
            credential. The exit code is that of the first fault. Event: check {check, outcome: ok, \
            warning, fault or skipped; message, advice}.
            """
        ],
        examples: ["latchkey doctor --json | jq -r 'select(.outcome == \"fault\") | .advice'": "for a script"],
        exitCodes: [.success] + Self.commonExitCodes
    ) { await $0.doctor() }

    private static let pair = BoxCommand(
        "pair", "Sign this box in with a phone or another computer",
        discussion: [
            """
            Shows an address, a code and, if the terminal can, a QR code, and waits until a viewer has signed in \
            there. After an interruption or a restart it shows the same code again, as long as the code is valid. Two \
            commands at once share a code. If 'latchkey agent' runs, it does the pairing, also after this command was \
            interrupted. If the code expires before a viewer enters it, a new one follows.
            """,
            """
            If the server cannot be reached, the command tries again, with longer and longer pauses of up to a \
            minute. It does so at the start, too, since a box is often quicker than its router. A faulty address or \
            credential ends it at once.
            """,
            """
            Forms of the QR code: auto (the best that the terminal shows, and none for an address that no phone can \
            open), half (half blocks, black on white), full (spaces, black on white), half-plain and ascii (blocks \
            and letters in the terminal's own colours, for dark grounds), half-plain-inverted and ascii-inverted (for \
            light ones), sixel and kitty (pictures, on terminals that say they know them), none. The smallest symbol \
            takes 33 columns and 18 rows in half blocks, and 66 and 34 in spaces and letters; if there is no room, a \
            sentence says so. Cameras read letters from further away, where they blur.
            """,
            """
            The words on the screen are in the language that --language names, else the setting language, else that \
            of the locale (LC_ALL, LC_MESSAGES, LANG): en, de, fr, sv, es, pt, it, nl, pl, tr, ja or ar. They are \
            English if the screen cannot show them: without UTF-8, on a console of Linux whose font lacks their \
            letters, and, for ar, on a terminal that is not known to put words in order from right to left. Events \
            are English.
            """,
            """
            Events: code_issued {code, displayCode, url, pageUrl, shortUrl, qr, expires, secondsLeft, resumed}; \
            page_opened; signing_in; page_left; confirming; provider_refused {message}; slow_down {retryAfter}; \
            unreachable {message}; reachable; approved {mvpd, mvpdName, expires, already}; declined; cancelled; \
            expired; interrupted; warning {message}; error {code, message, exitCode}, of which no_provider and \
            timed_out are this command's own.
            """,
        ],
        options: [.flag("again", "Show a code even if a viewer is signed in")] + Self.pairingOptions,
        examples: [
            "latchkey pair --json": "for a program that draws the code itself",
            "latchkey pair --timeout 300": "for a script that must go on some time",
            "latchkey pair --once --qr-png code.png": "for a script that shows the picture elsewhere",
        ],
        exitCodes: [.success, .declined, .expired, .noProvider] + Self.commonExitCodes + [
            .timedOut, .interrupted, .terminated,
        ]
    ) { call in
        let wishes = try PairWishes(call.arguments)
        // The agent has no code for a viewer who is signed in.
        return try await call.box(
            asksAgent: !wishes.again, phrases: { call.phrases(wishes.language ?? $0?.language) }
        ) { try await $0.pair(wishes) }
    }

    /// The options of every command that shows a pairing.
    static let pairingOptions: [CommandOption] = [
        .flag("once", "End when the code expires, instead of showing a new one"),
        .value("timeout", "SECONDS", "Give up if no viewer has signed in by then; the code stays valid"),
        .flag("no-wait", "End at once if the server cannot be reached at the start"),
        .value("qr-format", "FORM", "How to draw the QR code"),
        .value("language", "TAG", "Speak to the viewer in this language, such as de"),
        .value("qr-png", "FILE", "Keep a PNG picture of the QR code in this file while the code is on show"),
    ]

    private static let status = BoxCommand(
        "status", "Say who is signed in on this box, and this box's device ID",
        discussion: [
            """
            Asks the server whether the sign-in is still valid. If it is not, says why, as far as the server tells. \
            Event: status {server, deviceId, state: signed_out, pairing or signed_in; mvpd, mvpdName, expires, \
            reason: never, signed_out, replaced, signed_out_elsewhere, expired, ended_by_operator, \
            refused_by_provider or device_changed; checked}.
            """
        ],
        options: [.flag("offline", "Show what the box remembers, without asking the server")],
        examples: [
            "latchkey status --json | jq -r 'select(.event == \"status\").deviceId'":
                "the device ID, for the server's operator"
        ],
        exitCodes: [.success, .notSignedIn] + Self.commonExitCodes
    ) { call in
        let isOffline = call.arguments.has("offline")
        // The agent has no memory of its own to show.
        return try await call.box(asksAgent: !isOffline) { try await $0.status(isOffline: isOffline) }
    }

    private static let providers = BoxCommand(
        "providers", "List the TV providers to choose from",
        discussion: ["Event: providers {providers: [{id, name}]}."],
        exitCodes: [.success] + Self.commonExitCodes
    ) { try await $0.box { try await $0.providers() } }

    private static let authorize = BoxCommand(
        "authorize", "Print a media token for a channel or programme",
        discussion: [
            """
            The token alone goes to stdout. When the provider refuses, its own words go to stderr. Events: media_token \
            {resource, token, expires}; error {code: not_authorized, resource, providerMessage}.
            """
        ],
        operands: [CommandOperand("RESOURCE", "The resource, as agreed with the provider")],
        examples: ["token=$(latchkey authorize NorthSportHD)": "for a script that starts a player"],
        exitCodes: [.success, .notSignedIn, .notAuthorized] + Self.commonExitCodes
    ) { call in try await call.box { try await $0.authorize(call.arguments.operands[0]) } }

    private static let preauthorize = BoxCommand(
        "preauthorize", "Say which channels or programmes may be played",
        discussion: [
            """
            Use it for symbols in a list. It makes no token; only the answer of 'latchkey authorize' counts. Ends \
            with 0 when all may be played. Event: preauthorized {resources: [{resource, authorized, message}]}.
            """
        ],
        operands: [CommandOperand("RESOURCE", "The resources, in the order of the answer", count: .oneOrMore)],
        examples: ["latchkey preauthorize NorthSportHD NorthFilm": "two channels in one question"],
        exitCodes: [.success, .notSignedIn, .notAuthorized] + Self.commonExitCodes
    ) { call in try await call.box { try await $0.preauthorize(call.arguments.operands) } }

    private static let metadata = BoxCommand(
        "metadata", "Print a fact that the provider states about the viewer",
        discussion: ["Event: metadata {key, value}; the value may be any JSON."],
        operands: [CommandOperand("KEY", "The name of the fact, such as zip, as agreed with the provider")],
        examples: ["latchkey metadata zip": "the viewer's postal code, if the provider tells it"],
        exitCodes: [.success, .notSignedIn] + Self.commonExitCodes
    ) { call in try await call.box { try await $0.metadata(call.arguments.operands[0]) } }

    private static let logout = BoxCommand(
        "logout", "Sign this box out",
        discussion: [
            "The box keeps its identity; 'latchkey pair' signs in again. Event: signed_out {reason}. If the "
                + "provider can only end its session in a browser, the command shows that page: {logoutUrl}.",
            "It speaks the same language as 'latchkey pair'.",
        ],
        options: [.value("language", "TAG", "Speak to the viewer in this language, such as de")],
        exitCodes: [.success] + Self.commonExitCodes
    ) { call in
        let language = try ViewerLanguage.chosen(by: call.arguments)
        return try await call.box(phrases: { call.phrases(language ?? $0?.language) }) { try await $0.logOut() }
    }

    private static let boxes = BoxCommand(
        group: "boxes", "List your boxes, and sign another of them out",
        discussion: [
            """
            Your boxes are those that signed in with the same account, for the same requestor. The server keeps what \
            a box calls itself; it never tells one box the device ID of another.
            """
        ],
        usual: "list",
        [
            BoxCommand(
                "list", "List the boxes that are signed in with the account of this one",
                discussion: [
                    """
                    Lists this box first, then the others, the newest sign-in first; at most 50. 'latchkey boxes' \
                    alone does the same. Event: boxes {boxes: [{box, name, model, since, seen, expires, this}], more}.
                    """
                ],
                examples: ["latchkey boxes --json | jq -r '.boxes[] | .box + \" \" + .name'": "for a script"],
                exitCodes: [.success, .notSignedIn] + Self.commonExitCodes
            ) { try await $0.box { try await $0.boxes() } },
            BoxCommand(
                "sign-out", "Sign out another box, such as one that was lost",
                discussion: [
                    """
                    BOX is the number in the first column of the list, the beginning of it, or a name that only one \
                    box has. On a terminal the command asks first; elsewhere it needs --yes. The other box then needs \
                    a new code. Event: box_signed_out {box, name, model, since, seen, expires, this}.
                    """
                ],
                options: [.flag("yes", "Do not ask")],
                operands: [CommandOperand("BOX", "The box, as the list shows it")],
                examples: ["latchkey boxes sign-out 'Guest room'": "by its name"],
                exitCodes: [.success, .notSignedIn] + Self.commonExitCodes
            ) { call in
                try await call.box {
                    try await $0.signOutBox(call.arguments.operands[0], isConfirmed: call.arguments.has("yes"))
                }
            },
        ])

    private static let commonExitCodes: [ExitCode] = [
        .failure, .usage, .unreachable, .stateProblem, .credentialsRefused, .configuration,
    ]
}
