// The music store as Pulumi declares it: the same metadata as the directory ../metadata.
//
//   export SVC_GRAPHQL_ENDPOINT=http://localhost:8080 SVC_GRAPHQL_ADMIN_SECRET=...
//   npm install && pulumi up

import './permissions'
