import type { Json } from '@svc/schema'
import { parseDocument, type ScalarTag, stringify } from 'yaml'
import { DirectoryError } from './directory-error.ts'

/** `!include path` as a tag becomes the same text as its spelling as a string. */
const includeTag: ScalarTag = { tag: '!include', resolve: (path) => `!include ${path}` }

/** Parses one YAML file; `file` is what an error names. */
export function parseYaml(text: string, file: string): Json {
  try {
    const document = parseDocument(text, { customTags: [includeTag], merge: true, stringKeys: true })
    const [problem] = document.errors
    if (problem) throw new DirectoryError(`${file}: ${firstLine(problem.message)}`)
    return (document.toJS() ?? null) as Json
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    if (error instanceof RangeError) throw new DirectoryError(`${file}: nested too deep`)
    throw new DirectoryError(`${file}: ${firstLine(error instanceof Error ? error.message : String(error))}`)
  }
}

const firstLine = (text: string) => (text.split('\n')[0] ?? text).replace(/:$/, '')

/** YAML as other tools read it too: indent 2, texts that YAML 1.1 would take for something else are quoted. */
export const printYaml = (json: Json): string =>
  stringify(json, { indent: 2, lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
