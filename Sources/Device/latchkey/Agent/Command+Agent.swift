import BoxAgent
import CommandLineTool

extension Command {
    static let agent = Command(
        "agent", "Serve the applications on this box over a Unix socket",
        discussion: [
            """
            Runs until it is stopped: keeps the sign-in of every requestor of the configuration, pairs, and answers the \
            calls of applications with HTTP and JSON on a Unix socket. A caller is known by what the kernel says of it: its \
            systemd unit, its sandbox, or else its user; each needs a permission, see 'latchkey permission'. Root and the \
            agent's own user always may.
            """,
            """
            Members of the configuration: requestors, a group of requestors with their softwareStatement or keyPair, in \
            place of requestor or beside it; agent {socket, mode, group}. The socket is /run/latchkey/agent.sock, mode 0666. \
            A requestor of the group has its state in requestors/ID.json beside the state file.
            """,
        ],
        options: [
            .value("socket", "PATH", "Listen here"),
            .flag("openapi", "Print the OpenAPI description of the calls, and end"),
        ],
        examples: [
            CommandExample("latchkey agent", "serve until stopped; a unit of systemd does this"),
            CommandExample(
                "curl --unix-socket /run/latchkey/agent.sock http://localhost/v1/status", "ask it from a shell"),
        ],
        exitCodes: [
            .success, .usage, .addressUnavailable, .stateProblem, .alreadyRunning, .configuration,
        ])

    static let permission = Command(
        "permission", "Decide which applications may use the sign-ins of this box",
        discussion: [
            """
            APPLICATION is unit:NAME, sandbox:ID or user:NAME; 'list' shows those that asked. The agent must run, and only \
            root and its own user may.
            """
        ],
        options: [.value("socket", "PATH", "Where the agent listens")],
        subcommands: [
            Command(
                "list", "Show every application that has a permission or asked for it", exitCodes: Self.permissionCodes),
            Command(
                "grant", "Let an application use the sign-ins", operands: [Self.application],
                examples: [CommandExample("latchkey permission grant unit:kodi.service", "for the unit kodi.service")],
                exitCodes: Self.permissionCodes),
            Command(
                "deny", "Keep an application from the sign-ins", operands: [Self.application],
                exitCodes: Self.permissionCodes),
            Command(
                "reset", "Forget what was decided; the application may ask again", operands: [Self.application],
                exitCodes: Self.permissionCodes),
        ])

    private static let application = CommandOperand("APPLICATION", "The application, such as unit:kodi.service")
    private static let permissionCodes: [ExitCode] = [.success, .failure, .usage, .unreachable, .credentialsRefused]
}
