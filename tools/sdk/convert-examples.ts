import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PulumiExamples } from '../../provider/src/pulumi/index.ts'
import { convertExamples, isThere } from '../pulumi-cli/programs.ts'
import { CONVERTED_EXAMPLES, EXAMPLES, SCHEMA } from './sources.ts'

/** Whether `npm run pulumi-cli` has built the converter. */
export const canConvert = isThere(convertExamples)

/** Names of the examples: kinds, functions, `provider`. */
export const exampleNames: readonly string[] = readdirSync(EXAMPLES)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort()

export const exampleFile = (name: string): string => join(EXAMPLES, `${name}.yaml`)

/**
 * The examples in every language, by Pulumi's own converter, which checks them against a schema. Throws Error with its
 * complaint.
 */
export function convertedExamples(schema: string = SCHEMA): PulumiExamples {
  if (!canConvert) throw new Error(`${convertExamples.file} is not there: \`npm run pulumi-cli\` builds it`)
  const { status, stdout, stderr } = spawnSync(convertExamples.file, [schema, ...exampleNames.map(exampleFile)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(stderr)
  const converted: Readonly<Record<string, Omit<PulumiExamples[string], 'yaml'>>> = JSON.parse(stdout)
  return Object.fromEntries(
    exampleNames.map((name) => {
      const { typescript = '', python = '', go = '' } = converted[exampleFile(name)] ?? {}
      return [name, { typescript, python, go, yaml: readFileSync(exampleFile(name), 'utf8') }]
    }),
  )
}

export const examplesText = (examples: PulumiExamples): string => `${JSON.stringify(examples, null, 1)}\n`

export const writeExamples = (examples: PulumiExamples): void =>
  writeFileSync(CONVERTED_EXAMPLES, examplesText(examples))
