import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { dirname, join as joinPath } from 'node:path/posix'
import { test } from 'node:test'

/** The modules that a file needs at run time: imports of types alone are erased. */
function valueImportsOf(text: string): readonly string[] {
  const statement = /^\s*(?:import|export)\b(?!\s+type\b)(?:[^'"`;()]*?\bfrom)?\s*(['"])(\.[^'"\n]+)\1/gm
  return [...text.matchAll(statement)].map((match) => match[2] ?? '')
}

/** All of them, of types too. */
function importsOfTypesToo(text: string): readonly string[] {
  const statement = /^\s*(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*(['"])(\.[^'"\n]+)\1/gm
  return [...text.matchAll(statement)].map((match) => match[2] ?? '')
}

type Files = ReadonlyMap<string, string>

/** The sets of files that import each other in a circle (Tarjan's strongly connected components). */
function cyclesOf(files: Files, importsOf = valueImportsOf): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.size - 1)
    open.push(path)
    for (const specifier of importsOf(files.get(path) ?? '')) {
      const to = joinPath(dirname(path), specifier)
      if (!files.has(to)) continue
      if (!order.has(to)) visit(to)
      else if (!open.includes(to)) continue
      lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(to) ?? 0))
    }
    if (lowest.get(path) !== order.get(path)) return
    const cycle = open.splice(open.indexOf(path))
    if (cycle.length > 1) cycles.push(cycle.sort())
  }
  for (const path of files.keys()) if (!order.has(path)) visit(path)
  return cycles
}

/** Cycles that leave their folder, or that no file of theirs explains: `/** Recursion: …` at the head. */
function unexplainedCycles(files: Files): readonly string[] {
  return cyclesOf(files).flatMap((cycle) => {
    const isInFolder = new Set(cycle.map(dirname)).size === 1
    const isExplained = cycle.some((path) => /^\/\*\*\s+(\* )?Recursion: /.test(files.get(path) ?? ''))
    return isInFolder && isExplained ? [] : [cycle.join(' <-> ')]
  })
}

/**
 * Circles that types close although no code does: [folder, how many files at most, why]. They stay inside a module, since
 * imports.test.ts lets imports of types point down only, as all others. A type is at its place there
 * because what it says refers back, or since another file of its own would only hold the half of one thing.
 */
const circlesOfTypes: readonly (readonly [string, number, string])[] = [
  ['engine/src/ir', 2, 'rows may be a connection, whose nodes are rows'],
  ['engine/src/backends/postgres/compile', 2, 'operands of an expression may hold expressions'],
  ['engine/src/backends/postgres/compile', 5, 'the fields of rows may be rows'],
  ['engine/src/backends/mssql/compile', 3, 'operands of an expression may hold expressions'],
  ['engine/src/backends/mssql/compile', 3, 'the fields of rows may be rows'],
  ['engine/src/backends/bigquery/compile', 2, 'operands of an expression may hold expressions'],
  ['engine/src/backends/bigquery/compile', 2, 'rows may have aggregates, which may list rows'],
  ['engine/src/metadata/store', 2, 'the store has schedules, whose operations take its commit'],
  ['engine/src/model', 8, 'the model has the graph it was made by, whose readers are given the model'],
  ['engine/src/model/resolve', 3, 'an expression of a relationship holds expressions'],
  ['engine/src/graphql/types', 36, 'types of GraphQL refer to each other'],
  ['engine/src/graphql/introspection', 6, 'the types of introspection refer to each other'],
  ['engine/src/graphql/plan', 3, 'a where holds conditions on aggregates, which hold a where'],
  ['engine/src/graphql/plan', 8, 'selections hold selections'],
  ['engine/src/changes', 7, 'what is served is handed to the steps that change it'],
  ['engine/src/subscriptions', 6, 'subscribers, cohorts and pollers hold each other'],
  ['provider/src/pulumi', 4, 'the schema is loaded when it is first asked for'],
  ['schema/src/exact-json', 2, 'numbers are put into JSON that is read with them'],
]

test('types close a circle of files only where it is written why', () => {
  const paths = globSync('{schema,engine,provider}/src/**/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  const files = new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(path), 'utf8')]))
  const left = [...circlesOfTypes]
  const unexplained = cyclesOf(files, importsOfTypesToo).filter((cycle) => {
    const at = left.findIndex(
      ([folder, most]) => cycle.length <= most && cycle.every((path) => path.startsWith(`${folder}/`)),
    )
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  assert.deepEqual(unexplained, [])
  assert.deepEqual(left, [], 'a circle is gone: take its line away')
})

test('files import each other in a circle only within a folder, for a recursion that a header explains', () => {
  const paths = globSync('{schema,engine,provider}/src/**/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  assert.ok(paths.length > 500)
  const files = new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(path), 'utf8')]))
  assert.deepEqual(unexplainedCycles(files), [])
})

test('a circle without a header, or of two folders, is found; one of types only is none', () => {
  const circle = (head: string, [a, b]: readonly [string, string], kind = 'import') =>
    unexplainedCycles(
      new Map([
        [`m/${a}.ts`, `${head}\n${kind} { b } from '${b.includes('/') ? '../' : './'}${b}.ts'`],
        [`m/${b}.ts`, `import { a } from '${b.includes('/') ? '../' : './'}${a}.ts'`],
      ]),
    )
  assert.deepEqual(circle('', ['a', 'b']), ['m/a.ts <-> m/b.ts'])
  assert.deepEqual(circle('/** Recursion: a has b, which has a. */', ['a', 'b']), [])
  assert.deepEqual(circle('', ['a', 'b'], 'import type'), [])
  assert.deepEqual(circle('/** Recursion: of folders. */', ['x/a', 'y/b']), ['m/x/a.ts <-> m/y/b.ts'])
})
