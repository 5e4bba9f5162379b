import Clientless
package import Cryptography
package import Entitlement

/// Makes the domain's media tokens with the newest key (rest-v1 22.4).
package enum MediaTokenSigning {
    package static func issuer(signingWith key: any SigningKey) -> MediaTokenIssuer {
        MediaTokenIssuer { document in
            try SignedTokenDocument(element: try document.element(), signedBy: key).text
        }
    }
}
