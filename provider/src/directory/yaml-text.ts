import { exactDecimal, isRawNumber, type Json, keepsDigits, type RawNumber } from '@svc/schema'
import { type Document, parseDocument, type ScalarTag, stringify, visit } from 'yaml'
import { DirectoryError } from './directory-error.ts'
import { parsePlainYaml } from './parse-plain-yaml.ts'
import { printPlainYaml } from './print-plain-yaml.ts'

/** `!include path` as a tag becomes the same text as its spelling as a string. */
const includeTag: ScalarTag = { tag: '!include', resolve: (path) => `!include ${path}` }

/** Parses one YAML file; `file` is what an error names. Throws DirectoryError. */
export function parseYaml(text: string, file: string): Json {
  const plain = parsePlainYaml(text)
  return plain === undefined ? parseAnyYaml(text, file) : plain
}

/** The same of whatever YAML. */
export function parseAnyYaml(text: string, file: string): Json {
  try {
    const document = parseDocument(text, { customTags: [includeTag], merge: true, stringKeys: true })
    const [problem] = document.errors
    if (problem) {
      const message = firstLine(problem.message)
      const line = problem.linePos?.[0].line ?? null
      throw new DirectoryError(`${file}: ${message}`, { file, line, problem: message })
    }
    keepDigits(document)
    return (document.toJS() ?? null) as Json
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    const problem =
      error instanceof RangeError
        ? 'nested too deep'
        : firstLine(error instanceof Error ? error.message : String(error))
    throw new DirectoryError(`${file}: ${problem}`, { file, line: null, problem })
  }
}

/** A number that JavaScript would round keeps the digits it is written with. */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, scalar) {
      const { value, source } = scalar
      if (typeof value !== 'number' || source === undefined || !/^[-+]?\.?\d/.test(source) || keepsDigits(source))
        return
      // YAML has hexadecimal and octal numbers, too
      scalar.value = /^0[xo]/.test(source) ? exactDecimal(BigInt(source).toString()) : exactDecimal(source)
    },
  })
}

/** Prints such a number as it is. */
const longNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isRawNumber,
  resolve: Number,
  test: /^(?!)/,
  stringify: ({ value }) => (value as RawNumber).rawJSON,
}

/**
 * Texts that readers of YAML 1.1 refuse, or read as other values, where they are unescaped: `=`, characters that are
 * not printable, other line ends, tabs outside of blocks.
 */
const needsEscapes = /^=$|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^[^\n]*\t[^\n]*$/

/** Prints such a text in quotes. */
const escapedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && needsEscapes.test(value),
  resolve: (text) => text,
  test: /^(?!)/,
  stringify: ({ value }) =>
    JSON.stringify(value).replace(
      /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
}

const firstLine = (text: string) => (text.split('\n')[0] ?? text).replace(/:$/, '')

/** YAML as other tools read it too: indent 2, texts that YAML 1.1 would take for something else are quoted. */
export const printYaml = (json: Json): string => printPlainYaml(json, printScalar) ?? printAnyYaml(json)

/** The same of whatever JSON. */
export const printAnyYaml = (json: Json): string =>
  stringify(json, {
    indent: 2,
    lineWidth: 0,
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    customTags: [longNumber, escapedText],
  })

/** The same texts come again and again: URLs, names of headers. */
const scalars = new Map<string | number, string>()
const mostScalars = 10_000

function printScalar(value: string | number): string | null {
  if (typeof value === 'string' && (value.length > 500 || /[\n\r]|^---|^\.\.\./.test(value))) return null
  if (Object.is(value, -0)) return null
  const known = scalars.get(value)
  if (known !== undefined) return known
  const printed = printAnyYaml(value).slice(0, -1)
  if (scalars.size >= mostScalars) scalars.clear()
  scalars.set(value, printed)
  return printed
}
