import Clientless
package import Cryptography
package import Entitlement

/// Makes the domain's media tokens with the newest key (rest-v1 22.4).
package enum MediaTokenSigning {
    package static func issuer(signingWith key: any SigningKey) -> MediaTokenIssuer {
        MediaTokenIssuer { claims in
            let document = MediaTokenDocument(
                sessionGUID: claims.sessionGUID, requestor: claims.requestor, resource: claims.resource,
                timeToLive: claims.lifetime, issueTime: claims.issueTime, mvpd: claims.mvpd)
            return try SignedTokenDocument(element: try document.element(), signedBy: key).text
        }
    }
}
