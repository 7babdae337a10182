import type { Json } from '@svc/schema'
import { Option } from 'commander'
import { printYaml } from '../directory/index.ts'

export type OutputFormat = 'json' | 'yaml'

/** `-o json|yaml` */
export const outputOption = (...formats: readonly OutputFormat[]) =>
  new Option('-o, --output <format>', 'print to stdout in this format').choices(formats)

/** A document as text, without the last line's end. */
export const printAs = (format: OutputFormat, json: Json): string =>
  format === 'json' ? JSON.stringify(json, null, 2) : printYaml(json).trimEnd()
