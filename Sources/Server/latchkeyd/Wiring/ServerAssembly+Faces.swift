import Clientless
import Cryptography
import Entitlement
import HTTPServer
import Observability
import Providers
import ServerAPI

extension ServerAssembly {
    static func providers(of catalogue: Catalogue, _ parts: Parts) -> [MVPDID: any Provider] { [:] }
    static func router(_ pairing: Pairing, _ parts: Parts) throws -> Router { Router() }
}
