import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { DirectoryError } from '../directory/index.ts'
import type { Choice } from '../suggest/index.ts'

/** What of a database is meant, on the command line. */
export interface ChoiceFlags {
  readonly source: string
  readonly schema?: string
  readonly include?: string
  readonly exclude?: string
  readonly choices?: string
}

export const withChoiceOptions = (command: Command): Command =>
  command
    .option('--source <name>', 'the source whose database it is', 'default')
    .option('--schema <names>', 'of these schemas alone')
    .option('--include <names>', 'these tables, views and functions alone, as `*` in a name allows')
    .option('--exclude <names>', 'all but these')
    .option('--choices <file>', 'those that a file lists, as `svc metadata suggest` prints them')

/** Throws DirectoryError for a file of choices that cannot be read. */
export function choiceOf({ schema, include, exclude, choices }: ChoiceFlags, cwd: string): Choice {
  const listed = choices === undefined ? undefined : readChoices(choices, cwd)
  const named = include === undefined ? listed : [...(listed ?? []), ...namesOf(include)]
  return {
    ...(schema === undefined ? {} : { schemas: namesOf(schema) }),
    ...(named === undefined ? {} : { include: named }),
    ...(exclude === undefined ? {} : { exclude: namesOf(exclude) }),
  }
}

/** The names in a list with commas between them. */
export const namesOf = (list: string): readonly string[] => list.split(',').map((name) => name.trim())

/** A name a line; two spaces and what follows them say what it is. */
function readChoices(file: string, cwd: string): readonly string[] {
  try {
    const lines = readFileSync(resolve(cwd, file), 'utf8').split('\n')
    return lines
      .map((line) => (line.split('  ')[0] ?? '').trim())
      .filter((name) => name !== '' && !name.startsWith('#'))
  } catch (error) {
    throw new DirectoryError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
