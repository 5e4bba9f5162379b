import Clientless
import Cryptography
import TestSupport
import Testing

@Suite("Token documents that were tampered with", .timeLimit(.minutes(5)))
struct TokenDocumentMutationTests {
    struct Vector: Decodable {
        struct Authentication: Decodable {
            let element, guid, requestor, domainName, mvpd, fingerprint, nameID, sessionIndex: String
            let expires: Int64
        }

        struct Authorization: Decodable {
            let element, requestor, resource, mvpd, fingerprint: String
            let expires: Int64
        }

        let authentication: Authentication
        let authorization: Authorization
    }

    @Test func `The printed documents are read as what they say, and written as they are printed`() throws {
        let vector = try Vectors.load("token-documents", as: Vector.self)
        let signIn = vector.authentication
        let authentication = AuthenticationTokenDocument(
            guid: signIn.guid, requestor: try #require(RequestorID(signIn.requestor)), domainName: signIn.domainName,
            expiresAt: Timestamp(milliseconds: signIn.expires), mvpd: try #require(MVPDID(signIn.mvpd)),
            deviceFingerprint: signIn.fingerprint, nameID: signIn.nameID, sessionIndex: signIn.sessionIndex)
        #expect(try authentication.element() == signIn.element)
        #expect(try AuthenticationTokenDocument(element: signIn.element) == authentication)
        let decision = vector.authorization
        let authorization = AuthorizationTokenDocument(
            requestor: try #require(RequestorID(decision.requestor)),
            resource: try #require(Resource(decision.resource)),
            expiresAt: Timestamp(milliseconds: decision.expires), mvpd: try #require(MVPDID(decision.mvpd)),
            deviceFingerprint: decision.fingerprint)
        #expect(try authorization.element() == decision.element)
        #expect(try AuthorizationTokenDocument(element: decision.element) == authorization)
    }

    @Test func `Another parser finds in the printed documents the elements that are meant`() async throws {
        let vector = try Vectors.load("token-documents", as: Vector.self)
        let read = try await CanonicalXML.read(
            [vector.authentication.element, vector.authorization.element].map { Array($0.utf8) })
        #expect(read[0].children.first?.text == CanonicalXML.Text(vector.authentication.guid))
        #expect(read[1].children[1].text == CanonicalXML.Text(vector.authorization.resource))
    }

    @Test func `Of a document of either kind that was changed nothing is believed that was not signed`() throws {
        let vector = try Vectors.load("token-documents", as: Vector.self)
        for key in [try TestKeys.ec.get(), try TestKeys.rsa.get()] as [any SigningKey] {
            for element in [vector.authentication.element, vector.authorization.element] {
                let document = try SignedTokenDocument(element: element, signedBy: key)
                var (accepted, refused) = (0, 0)
                for text in Mutations(of: [document.text], count: 3000, seed: 41) {
                    guard let changed = try? SignedTokenDocument(parsing: text),
                        changed.isSigned(byOneOf: [key.verificationKey])
                    else {
                        refused += 1
                        continue
                    }
                    #expect(changed.element.utf8.elementsEqual(element.utf8))
                    accepted += 1
                }
                // White space around the signature, and its misprinted end, are read over.
                #expect(accepted < 300 && refused > 2700)
            }
        }
    }

    @Test func `An element that was changed is read as something within bounds, or not at all`() throws {
        let vector = try Vectors.load("token-documents", as: Vector.self)
        var (read, refused) = (0, 0)
        for text in Mutations(of: [vector.authentication.element], count: 20_000, seed: 43) {
            guard let document = try? AuthenticationTokenDocument(element: text) else {
                refused += 1
                continue
            }
            // What was read can be written, and read as the same.
            #expect(try AuthenticationTokenDocument(element: document.element()) == document)
            read += 1
        }
        for text in Mutations(of: [vector.authorization.element], count: 20_000, seed: 47) {
            guard let document = try? AuthorizationTokenDocument(element: text) else {
                refused += 1
                continue
            }
            #expect(document.resource.text.utf8.count <= Resource.maximumLength)
            #expect(try AuthorizationTokenDocument(element: document.element()) == document)
            read += 1
        }
        #expect(read > 1000 && refused > 1000)
    }
}
