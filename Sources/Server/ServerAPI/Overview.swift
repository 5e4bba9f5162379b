// ServerAPI: the faces. Each folder translates one protocol to Entitlement and back: RESTv1 (rest-v1), SDKServices
// (sdk-services), Registration (rest-v1 10.2), OAuth (tokens: rest-v1 10.3), SecondScreen (the pages), Management (what operators' programs call:
// rest-v1 20.5, 25, and our own), Service (health, metrics, public keys). Console is no face: it has pages for the operator
// and a listener of its own.
//
// Endpoints has what makes them one: an `Endpoint` is said in one declaration beside its handler, and from the lists of
// these come the routes and the description in OpenAPI. A call passes the `CallGate`, then the `Pipeline`; its `Face`
// words what went wrong. `Faces` puts all of them together, for the program and for every test.
//
// The faces also share these folders: Negotiation (the form of an answer, and the shape from which it is written),
// Errors, Answers, Requests (reading what callers send), Authentication (who calls), Pictures (logos, and the shelf they
// are served from), Throttle, Metadata (what may be known of viewers, encrypted where it must be), Memory (small things
// remembered of strangers), Waiting (polls that are held until their answer changes).
//
// It leaves to its neighbours: decisions (Entitlement), connections (HTTPServer).
