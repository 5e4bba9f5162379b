// Compression: texts become smaller on their way, as gzip (RFC 1952) over zlib. The only importer of CZlib.
//
// It leaves to its neighbours: which answers are compressed, for whom, and what that could give away (ServerAPI). It reads
// no compressed bytes: nothing that comes in is ever unfolded.
