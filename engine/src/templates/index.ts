/**
 * templates: the template language of transforms, Kriti's (reference/transforms#the-template-language,
 * reference/transforms#errors-of-templates). Begin at template.ts. A template is parsed once and evaluated often; both
 * end with a value or an error with its position. Evaluation is bounded in steps and in the size of what it makes, and can
 * be done in pieces.
 * Imports exact-json. Knows no webhooks.
 */
export { formatInPieces, formatValueAsJson } from './format-value.ts'
export { defaultLimits, type TemplateLimits } from './fuel.ts'
export { escapeUri, type TemplateFunction } from './functions.ts'
export {
  type Bindings,
  evaluateInPieces,
  evaluateTemplate,
  type Parsed,
  parseStringTemplate,
  parseTemplate,
  type Template,
} from './template.ts'
export { FunctionFailure, type TemplateError } from './template-error.ts'
export type { TemplateValue } from './value.ts'
