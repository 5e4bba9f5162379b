import CommandLineTool
import ServerAPI

enum OpenAPICommand {
    static let command = ServerCommand(
        .nothing, "openapi", "Print the description of the API, OpenAPI 3.1 in JSON",
        discussion: [
            "Describes the clientless REST API, client registration, the SDK services and management, with an "
                + "example of each operation. Needs no configuration. The same version always prints the same text."
        ],
        options: [
            .value("server", "URL", "The server's address, such as https://tv.example; left open when left out")
        ],
        examples: ["latchkeyd openapi --server https://tv.example > openapi.json": "for a client generator"],
        also: [.stateProblem], hasResult: false
    ) { arguments, call in
        let server = try arguments.values("server", .origin).last.map { url in
            url.hasSuffix("/") ? String(url.dropLast()) : url
        }
        try call.result(APIDescription.text(server: server, version: ServerProgram.version))
    }
}
