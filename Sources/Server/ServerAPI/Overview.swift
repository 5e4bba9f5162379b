// ServerAPI: the faces. Each folder translates one protocol to Entitlement and back: RESTv1 (rest-v1),
// Registration (rest-v1 10), SecondScreen (the pages), Service (health and metrics).
//
// It leaves to its neighbours: decisions (Entitlement), connections (HTTPServer).
