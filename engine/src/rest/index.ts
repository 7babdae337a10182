/**
 * rest: requests to REST endpoints as GraphQL requests (reference/stored-queries), and their OpenAPI document. Begin at
 * match-endpoint.ts. Imports model, graphql, errors. Knows no HTTP server and runs nothing.
 */
export { type MatchedEndpoint, matchEndpoint } from './match-endpoint.ts'
export { openApiDocument } from './openapi-document.ts'
export { type GivenVariables, readBody, readVariables } from './read-variables.ts'
