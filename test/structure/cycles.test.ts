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

type Files = ReadonlyMap<string, string>

/** The sets of files that import each other in a circle (Tarjan's strongly connected components). */
function cyclesOf(files: Files): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.size - 1)
    open.push(path)
    for (const specifier of valueImportsOf(files.get(path) ?? '')) {
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

test('files import each other in a circle only within a folder, for a recursion that a header explains', () => {
  const paths = globSync('{schema,engine,provider}/src/**/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  assert.ok(paths.length > 500)
  const files = new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(path), 'utf8')]))
  assert.deepEqual(unexplainedCycles(files), [])
})

test('a circle without a header, or of two folders, is found; one of types alone is none', () => {
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
