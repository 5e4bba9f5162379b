import Cryptography

extension String {
    var secret: Secret { Secret(self) }
}
