import FoundationEssentials
import RealPrograms

/// An operating system's vendor, as far as the suite's service knows it. Nobody has its private key, so that nothing it
/// is said to have signed is genuine.
enum PlatformIssuer {
    static let entityID = "https://platform.invalid/issuer"
    /// What a box hands to its operating system.
    static let profileRequest = "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_r\"/>"

    /// Writes its files into the folder of a configuration.
    /// - Returns: the group `platform` of an integration.
    static func configuration(in folder: String) throws -> JSON {
        try Data(self.profileRequest.utf8).write(to: URL(filePath: "\(folder)/platform-request.xml"))
        try Data(self.metadata.utf8).write(to: URL(filePath: "\(folder)/platform-issuer.xml"))
        return [
            "enabled": true, "status": "SUPPORTED", "mappingID": "other-tv", "profileRequest": "platform-request.xml",
            "issuerMetadata": "platform-issuer.xml",
        ]
    }

    private static let metadata = """
        <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(entityID)"><md:IDPSSODescriptor \
        protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo \
        xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>\(certificate)</ds:X509Certificate>\
        </ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService \
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://platform.invalid/sso"/>\
        </md:IDPSSODescriptor></md:EntityDescriptor>
        """

    private static let certificate = """
        MIIDGTCCAgGgAwIBAgIUd8mHyxcO+PTlrvHXtcVIdajEe6owDQYJKoZIhvcNAQELBQAwGzEZMBcGA1UEAwwQcGxhdGZvcm0u\
        aW52YWxpZDAgFw0yNjExMjEwMTE5MTRaGA8yMTI2MTAyODAxMTkxNFowGzEZMBcGA1UEAwwQcGxhdGZvcm0uaW52YWxpZDCC\
        ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKpKGT6ojnT0lT5UwJhBaazCPC5JAfSYRKbbvxlLMDsThv+ET/U7VMMI\
        mbhUMjr76BklUXm5QFcdIuKKRU48YZMvA24JTF04OTed/uKXecDzIZb43OYgcC2ERBUJPREPqRutHBRPaEPQcfVR7FCZddxc\
        hfLE0gCoc2GxhGqFBn9V5LYOHNDuXijhbtw5N5izf5jsTijyELAeyPQYkiKQW4M/HvRcU+saNwhke6yHuIVbwvbCnUZIf0aI\
        38mrd43WBL8N4P2R3oS/m+TTetY8ydyAXDGzUd+xzWZlgOjgctZidkvnYAq+ufhy6OTzMqiB/3WkoaRn7N9Y2/Ba2HRGlBsC\
        AwEAAaNTMFEwHQYDVR0OBBYEFAmRbTYr4+2VGGqVnFlS5i1Qtx2KMB8GA1UdIwQYMBaAFAmRbTYr4+2VGGqVnFlS5i1Qtx2K\
        MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAD1cL/BLScQfZaMa4WtRmEI4FfMOMjTNCQRbLIWonMuKxgSh\
        CeGr8NkZc5bNQC2hHKWKCdzmnOOSLdOeKtqKJWDWt4IEhTojgKcaSOAepUQvRs9+n8Cl3DNxK27wonyixjGRGRM0I5jWu2Pk\
        DrLo4kqJ9TlNSBXQ3iejWpUHH8yuTYLoc4NcgMsE7C8cn2N8WwEgJsn3JhM+x0eAD+cRNJSR0ARPc0uXIdWmSZ1vVpeH02I8\
        fMmAe0DF7aPE64dLCb7vMHCbnxxlqs15nzxz5PdOlhZjcCiihhRB2PtIHVMbngOlMQswLJnDs27rJ+j+SX0GAl5QAYYXWW9u\
        11R/ts4=
        """
}
