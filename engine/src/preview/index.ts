/**
 * preview: what a change of metadata means for those who use the API, said of two models. Begin at describe-preview.ts.
 * Imports execute, graphql, model, ir and schema, of metadata what was used. Knows no request.
 */
export { countRows } from './count-rows.ts'
export { describePreview } from './describe-preview.ts'
export { withUsage } from './with-usage.ts'
