import FoundationEssentials

/// The state file of the box program from before there were tokens on the box: registrations and the live code of each
/// server. A box that is updated keeps both.
enum FormerBoxState {
    private struct State: Decodable {
        struct Server: Decodable {
            struct Client: Decodable {
                let id: String
                let secret: String
                let statement: String
            }
            struct Token: Decodable {
                let text: String
                let renewAt: Int64
            }
            struct Code: Decodable {
                let code: String
                let requestor: String
                let expires: Int64
                let loginURL: String?
            }

            let client: Client?
            let token: Token?
            let code: Code?
        }

        let version: Int
        let machineSalt: String?
        let servers: [String: Server]
    }

    /// - Returns: none for anything else.
    static func image(of bytes: [UInt8]) -> StoreImage? {
        guard let state = try? JSONDecoder().decode(State.self, from: Data(bytes)), state.version == 1
        else { return nil }
        var image = StoreImage()
        image.machineSalt = state.machineSalt
        for (server, known) in state.servers {
            if let client = known.client {
                image.registrations[server] = StoreImage.Registration(
                    clientID: client.id, clientSecret: client.secret, statement: client.statement,
                    accessToken: known.token?.text, renewAt: known.token?.renewAt)
            }
            if let code = known.code {
                image.code = StoreImage.Code(
                    code: code.code, requestor: code.requestor, server: server, expires: code.expires,
                    loginURL: code.loginURL)
            }
        }
        return image
    }
}
