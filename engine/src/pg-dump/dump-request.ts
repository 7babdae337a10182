import { isRecord } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'

/** The body of /v1alpha1/pg_dump. */
export interface DumpRequest {
  readonly options: readonly string[]
  readonly source: string
  readonly cleanOutput: boolean
}

/** Throws parse-failed, and bad-request for options that would write to files or reach another database. */
export function parseDumpRequest(body: unknown): DumpRequest {
  if (!isRecord(body)) throw failed(Path.root, 'expected Object')
  const { opts, source = 'default', clean_output: cleanOutput = false } = body
  if (opts === undefined) throw failed(Path.root, 'key "opts" not found')
  if (!Array.isArray(opts)) throw failed(Path.root.at('opts'), 'expected Array')
  const options = opts.map((option: unknown, index) => {
    if (typeof option !== 'string' || option.includes('\0'))
      throw failed(Path.root.at('opts', index), 'expected String')
    return option
  })
  if (typeof source !== 'string') throw failed(Path.root.at('source'), 'expected String')
  if (typeof cleanOutput !== 'boolean') throw failed(Path.root.at('clean_output'), 'expected Boolean')
  options.forEach((option, index) => {
    const name = ownOption(option)
    if (name !== null)
      throw Path.root.at('opts', index).error('bad-request', `the option ${name} of pg_dump is the engine's own`)
  })
  return { options, source, cleanOutput }
}

const failed = (path: Path, message: string) => new ApiError('parse-failed', path, message)

/** Which file is written, which database is read and as whom. */
const ownLong = ['file', 'dbname', 'host', 'port', 'username', 'password', 'no-password', 'role', 'jobs']
const ownShort = 'fdhpUWwj'
/** Short options that take the rest of the word. */
const withValue = 'deEfFhjnNpStTUZ'

/** Returns the option that the word is where the engine sets it itself, or null. Long names may be abbreviated. */
function ownOption(word: string): string | null {
  if (word.startsWith('--')) {
    const name = word.slice(2).split('=')[0] ?? ''
    return name !== '' && ownLong.some((own) => own.startsWith(name)) ? `--${name}` : null
  }
  if (!word.startsWith('-')) return null
  for (const letter of word.slice(1)) {
    if (ownShort.includes(letter)) return `-${letter}`
    if (withValue.includes(letter)) return null
  }
  return null
}
