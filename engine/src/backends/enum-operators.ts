import type { OperatorDeclaration } from './backend.ts'

const names: ReadonlySet<string> = new Set(['_eq', '_neq', '_in', '_nin', '_is_null'])

/** Whether a column that refers to an enum table has this operator of its type (spec 02 §2.2). */
export const isForEnums = ({ name }: OperatorDeclaration): boolean => names.has(name)
