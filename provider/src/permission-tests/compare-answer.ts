import { equalJson, isRecord, type Json, recordOf, recordsIn } from '@svc/schema'
import { createTwoFilesPatch } from 'diff'
import { printYaml } from '../directory/index.ts'
import type { ExpectedError, Step } from './read-tests.ts'

/** Stands for whatever is there, but null. */
const anything = '<any>'
/** Stands for a list of so many. */
const rows = (count: number) => `<${count} rows>`
const isRows = (expected: Json) => typeof expected === 'string' && /^<\d+ rows>$/.test(expected)

/** How an answer differs from what a step expects, as lines for people; null where it does not. */
export function differenceOf({ expected }: Step, answer: Json): string | null {
  const { data = null, errors: given } = recordOf(answer)
  const errors = Array.isArray(given) ? (given as readonly Json[]) : []
  const answered = errors.length > 0 ? { error: errorsOf(errors) } : null
  switch (expected.kind) {
    case 'error':
      if (errors.some((error) => isExpected(expected.error, error))) return null
      return patch({ error: shownError(expected.error) }, answered ?? { data })
    case 'types':
      return compare('types', expected.types as Json, answered, fieldsOf(data))
    case 'data':
      return compare('data', expected.data, answered, masked(expected.data, data))
  }
}

function compare(key: string, expected: Json, failed: Json, found: Json): string | null {
  if (failed === null && equalJson(expected, found)) return null
  return patch({ [key]: expected }, failed ?? { [key]: found })
}

/** The names of fields by type, as `types` has them. */
function fieldsOf(data: Json): Json {
  const names = (type: Json): Json => {
    if (!isRecord(type)) return null
    return recordsIn(type.fields ?? type.inputFields)
      .map(({ name }) => String(name))
      .toSorted()
  }
  return isRecord(data) ? Object.fromEntries(Object.entries(data).map(([type, one]) => [type, names(one)])) : data
}

function isExpected(expected: ExpectedError, error: Json): boolean {
  const { message: words, extensions } = recordOf(error)
  const { code, path } = recordOf(extensions)
  if (typeof expected === 'string') return expected === code || String(words).includes(expected)
  return (
    (expected.code === undefined || expected.code === code) &&
    (expected.path === undefined || expected.path === path) &&
    (expected.message === undefined || String(words).includes(expected.message))
  )
}

const shownError = (expected: ExpectedError): Json =>
  typeof expected === 'string' ? expected : (Object.fromEntries(Object.entries(expected)) as Json)

function errorsOf(errors: readonly Json[]): Json {
  const shown = errors.map((error): Json => {
    const { message = '', extensions } = recordOf(error)
    const { code = '', path = '' } = recordOf(extensions)
    return { code, message, path }
  })
  return shown.length === 1 ? (shown[0] ?? null) : shown
}

/** The answer with what stands for anything in its place, so that only what differs is shown. */
function masked(expected: Json, answer: Json): Json {
  if (expected === anything) return answer === null ? null : anything
  if (isRows(expected) && Array.isArray(answer)) return rows(answer.length)
  if (Array.isArray(expected) && Array.isArray(answer))
    return answer.map((item: Json, at) =>
      at < expected.length ? masked((expected as Json[])[at] ?? null, item) : item,
    )
  if (isRecord(expected) && isRecord(answer))
    return Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [
        key,
        key in expected ? masked(expected[key] ?? null, value) : value,
      ]),
    )
  return answer
}

function patch(expected: Json, answered: Json): string {
  const text = createTwoFilesPatch(
    'expected',
    'answered',
    printYaml(expected),
    printYaml(answered),
    undefined,
    undefined,
    { context: 3 },
  )
  const lines = text.split('\n').filter((line) => !/^(={5,}|@@|\\ No newline)/.test(line))
  return lines.join('\n').trimEnd()
}
