/**
 * rest: requests to REST endpoints as GraphQL requests (reference/stored-queries), and their OpenAPI document. Begin at
 * match-endpoint.ts. Imports model, graphql, errors. Knows no HTTP server and runs nothing.
 */
export { matchEndpoint } from './match-endpoint.ts'
export { openApiDocument } from './openapi-document.ts'
export { readBody, readVariables } from './read-variables.ts'
