/**
 * preview: what a change of metadata means for those who use the API, said of two models. Begin at describe-preview.ts.
 * Imports execute, graphql, model, ir and schema. Knows no request and no store.
 */
export { countRows } from './count-rows.ts'
export { describePreview } from './describe-preview.ts'
