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

    /// - Parameter scope: the device scope that everything in it is of.
    /// - Returns: `nil` for anything else.
    static func image(of bytes: [UInt8], scope: String) -> StoreImage? {
        guard let state = try? JSONDecoder().decode(State.self, from: Data(bytes)), state.version == 1
        else { return nil }
        var image = StoreImage(scope: scope)
        image.machineSalt = state.machineSalt
        for (server, known) in state.servers {
            if let client = known.client {
                image[registration: server, client.statement] = StoreImage.Registration(
                    clientID: client.id, clientSecret: client.secret, accessToken: known.token?.text,
                    renewAt: known.token?.renewAt)
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
