import type { Model } from '../../model/index.ts'

/** Whether a role sees its schema (spec 04 §10). */
export const introspects = (model: Model, role: string): boolean => !model.introspectionDisabledFor.has(role)
