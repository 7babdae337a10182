import type { Model } from '../../model/index.ts'

/** Whether a role sees its schema (reference/http#limits-and-federation). */
export const introspects = (model: Model, role: string): boolean => !model.introspectionDisabledFor.has(role)
