import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PulumiExamples } from '../../provider/src/pulumi/index.ts'
import { convertExamples, isThere } from '../pulumi-cli/programs.ts'
import { objectExamples } from './object-examples.ts'
import { CONVERTED_EXAMPLES, EXAMPLES, SCHEMA } from './sources.ts'

/** Whether `npm run pulumi-cli` has built the converter. */
export const canConvert = isThere(convertExamples)

/** Names of the examples that are files: kinds, functions that read more than one object, `provider`. */
export const exampleNames: readonly string[] = readdirSync(EXAMPLES)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort()

export const exampleFile = (name: string): string => join(EXAMPLES, `${name}.yaml`)

const textOf = (name: string): string => readFileSync(exampleFile(name), 'utf8')

/** All examples in YAML by name: the files, and what is made of them for functions that read one object. */
export const exampleTexts = (): ReadonlyMap<string, string> =>
  new Map([...exampleNames.map((name) => [name, textOf(name)] as const), ...objectExamples(textOf)].sort())

/**
 * The examples in every language, by Pulumi's own converter, which checks them against a schema. Throws Error with its
 * complaint.
 */
export const convertedExamples = (schema: string = SCHEMA): PulumiExamples => convertPrograms(exampleTexts(), schema)

/** Programs in YAML, by name, in every language. Throws Error with the converter's complaint. */
export function convertPrograms(programs: ReadonlyMap<string, string>, schema: string = SCHEMA): PulumiExamples {
  if (!canConvert) throw new Error(`${convertExamples.file} is not there: \`npm run pulumi-cli\` builds it`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-examples-'))
  try {
    const fileOf = (name: string) => join(folder, `${name}.yaml`)
    for (const [name, text] of programs) writeFileSync(fileOf(name), text)
    const { status, stdout, stderr } = spawnSync(convertExamples.file, [schema, ...[...programs.keys()].map(fileOf)], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(stderr)
    const converted: Readonly<Record<string, Omit<PulumiExamples[string], 'yaml'>>> = JSON.parse(stdout)
    return Object.fromEntries(
      [...programs].map(([name, yaml]) => {
        const { typescript = '', python = '', go = '' } = converted[fileOf(name)] ?? {}
        return [name, { typescript, python, go, yaml }]
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const examplesText = (examples: PulumiExamples): string => `${JSON.stringify(examples, null, 1)}\n`

export const writeExamples = (examples: PulumiExamples): void =>
  writeFileSync(CONVERTED_EXAMPLES, examplesText(examples))
