import { isRawNumber, type RawNumber } from '../exact-json/index.ts'

/** JSON whose numbers keep their digits. */
export type TemplateValue = null | boolean | number | string | RawNumber | readonly TemplateValue[] | TemplateObject

export interface TemplateObject {
  readonly [key: string]: TemplateValue
}

export type ValueKind = 'Object' | 'Array' | 'String' | 'Number' | 'Boolean' | 'Null'

export function kindOf(value: TemplateValue): ValueKind {
  if (value === null) return 'Null'
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Boolean'
  if (isNumeric(value)) return 'Number'
  return isList(value) ? 'Array' : 'Object'
}

export const isNumeric = (value: TemplateValue): value is number | RawNumber =>
  typeof value === 'number' || isRawNumber(value)

export const isList = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value)

export const isObject = (value: TemplateValue): value is TemplateObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
