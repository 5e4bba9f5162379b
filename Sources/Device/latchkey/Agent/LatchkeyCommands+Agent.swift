import CommandLineTool

extension LatchkeyCommands {
    static let agent = BoxCommand(
        "agent", "Serve the applications on this box over a Unix socket",
        discussion: [
            """
            Runs until you stop it. It keeps the sign-in of every requestor of the configuration, pairs the box, and \
            answers applications with HTTP and JSON on a Unix socket. The kernel tells the agent who calls: a systemd \
            unit, a sandbox, or else a user. Each needs a permission, see 'latchkey permission'. Root, and the agent's \
            own user outside of a sandbox, need none.
            """,
            """
            Members of the configuration: requestors, a group of requestors with their softwareStatement or keyPair, in \
            place of requestor or beside it; agent {socket, mode, group, account}. The socket is \
            /run/latchkey/agent.sock, mode 0666. A requestor of the group has its state in requestors/ID.json beside the \
            state file. The account names the requestor whose sign-in signs the others in, see 'latchkey account'.
            """,
        ],
        options: [
            .value("socket", "PATH", "Listen here"),
            .flag("openapi", "Print the OpenAPI description of the calls, and end"),
        ],
        examples: [
            "latchkey agent": "serve until stopped; a unit of systemd does this",
            "curl --unix-socket /run/latchkey/agent.sock http://localhost/v1/status": "ask it from a shell",
        ],
        exitCodes: [
            .success, .usage, .addressUnavailable, .stateProblem, .alreadyRunning, .configuration,
        ]
    ) { try await $0.serveAgent() }

    static let account = BoxCommand(
        group: "account", "Sign the box in once for all requestors of the agent",
        discussion: [
            """
            The account of the box is the sign-in of the requestor that the configuration names as agent.account. Where \
            the server agrees, the agent signs its other requestors in by it, without a code, and applications with a \
            permission may do so, too. The agent must run; only root and its own user may sign the box out.
            """
        ],
        options: [.value("socket", "PATH", "The path of the agent's socket")],
        [
            BoxCommand(
                "show", "Say with which provider the box is signed in",
                discussion: ["Event: status {state, mvpd, mvpdName, expires, reason, checked}."],
                exitCodes: Self.accountCodes + [.notSignedIn]
            ) { try await $0.showAccount() },
            BoxCommand(
                "sign-in", "Show a code, and wait until a viewer has signed in",
                discussion: ["Shows the same screen and sends the same events as 'latchkey pair'."],
                options: Self.pairingOptions,
                examples: ["latchkey account sign-in --json": "for a program that draws the code"],
                exitCodes: Self.accountCodes + [.declined, .expired, .noProvider, .timedOut, .interrupted, .terminated]
            ) { try await $0.signInAccount() },
            BoxCommand(
                "sign-out", "Sign the box out, and every requestor that its account signed in",
                discussion: ["Event: signed_out {reason, logoutUrl}."], exitCodes: Self.accountCodes
            ) { try await $0.signOutAccount() },
        ])

    private static let accountCodes: [ExitCode] = [
        .success, .failure, .usage, .unreachable, .stateProblem, .credentialsRefused,
    ]

    static let permission = BoxCommand(
        group: "permission", "Decide which applications may use the sign-ins of this box",
        discussion: [
            """
            APPLICATION is unit:NAME, sandbox:ID or user:NAME; 'list' shows those that asked. The agent must run, and only \
            root and its own user may. Event of the others: permission_changed {application, permission}.
            """
        ],
        options: [.value("socket", "PATH", "The path of the agent's socket")],
        [
            BoxCommand(
                "list", "Show the applications that have a permission or asked for one",
                discussion: ["Event: permissions {permissions: [{application, permission}]}."],
                exitCodes: Self.permissionCodes
            ) { try await $0.listPermissions() },
            BoxCommand(
                "grant", "Let an application use the sign-ins", operands: [Self.application],
                examples: ["latchkey permission grant unit:kodi.service": "for the unit kodi.service"],
                exitCodes: Self.permissionCodes + [.stateProblem]
            ) { try await $0.set(.granted) },
            BoxCommand(
                "deny", "Keep an application from the sign-ins", operands: [Self.application],
                exitCodes: Self.permissionCodes + [.stateProblem]
            ) { try await $0.set(.denied) },
            BoxCommand(
                "reset", "Forget your decision; the application may ask again", operands: [Self.application],
                exitCodes: Self.permissionCodes + [.stateProblem]
            ) { try await $0.set(.undetermined) },
        ])

    private static let application = CommandOperand("APPLICATION", "The application, such as unit:kodi.service")
    private static let permissionCodes: [ExitCode] = [.success, .failure, .usage, .unreachable, .credentialsRefused]
}
