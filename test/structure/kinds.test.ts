import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'
import { objectTypes } from '../../schema/src/index.ts'

/**
 * A kind of object stands in one place (docs/model.md, "A new kind"): how many files name it, those aside that are its
 * own, i.e. have its name in their path. The limit is 9; older kinds have exactly what is written here, so that a file
 * less lowers the number and a file more is seen.
 */
const limit = 9
const older: Readonly<Record<string, number>> = {
  action: 18,
  array_relation: 11,
  function: 30,
  logical_model: 11,
  object_relation: 11,
  // two of them are the resources of the relationships that lead to one, and name it as what they refer to
  remote_schema: 12,
}

/** Everything is about them, and arguments have these names too. */
const everywhere: ReadonlySet<string> = new Set(['source', 'table'])

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** `'cron_trigger'`, or `cron_trigger:` as a key: not that of an argument, whose value is the schema of a text. */
const names = (text: string, type: string): boolean =>
  new RegExp(`'${type}'|^\\s+${type}:(?! (?:optional\\(text|filled\\(|z\\b))`, 'm').test(text)

test('files outside of its own name a kind of object in few places', () => {
  const files = globSync('{schema,engine,provider}/src/**/*.ts')
    .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
    .map((path) => ({ path: path.split(sep).join('/'), text: withoutComments(readFileSync(path, 'utf8')) }))
  assert.ok(files.length > 500)
  const tooMany = objectTypes.flatMap((type) => {
    if (everywhere.has(type)) return []
    const own = type.replaceAll('_', '-')
    const naming = files.filter(({ path, text }) => !path.includes(own) && names(text, type)).map(({ path }) => path)
    const isRight = type in older ? naming.length === older[type] : naming.length <= limit
    return isRight ? [] : [`${type}: ${naming.length} files: ${naming.join(', ')}`]
  })
  assert.deepEqual(tooMany, [])
})
