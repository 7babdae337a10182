import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import {
  type CheckReport,
  checkProject,
  isRight,
  type ProjectPaths,
  refuseUnsafe,
  writeGitTree,
} from '../../check/index.ts'
import { hidePasswords } from '../../core/index.ts'
import { DirectoryError } from '../../directory/index.ts'
import { breakingChanges, checkMarkdown, checkText } from '../check-text.ts'
import type { ExitCode } from '../command-context.ts'
import { type Config, ConfigError, findProject, readConfig } from '../config.ts'
import { lineOf } from '../error-line.ts'
import { isAlone, runAlone } from '../run-alone.ts'
import { paintFor, say, type Terminal, whileWaiting } from '../terminal.ts'
import { wholeNumber } from '../whole-number.ts'

interface CheckFlags {
  readonly project?: string
  readonly base?: string
  readonly baseRef?: string
  readonly markdown?: boolean
  readonly json?: boolean
  readonly failOnBreaking?: boolean
  readonly timeLimit: number
  readonly diskLimit: number
  readonly color?: boolean
}

/**
 * `svc check [directory]`: checks a project without a server, for pull requests of strangers too. Exit 0; 1 where
 * something would be refused or inconsistent or a test fails; 2 where it could not be checked.
 */
export function checkCommand(terminal: Terminal, run: (work: () => Promise<ExitCode>) => Promise<void>): Command {
  const command = new Command('check')
    .description('check a project without a server: what would be refused, what changes in the API, its tests')
    .argument('[directory]', 'the project folder')
    .option('--base <directory>', 'compare the API with that of another checkout of the project')
    .option('--base-ref <ref>', 'compare it with the project at a git ref: origin/main')
    .option('--markdown', 'print Markdown, for a comment of a pull request')
    .option('--json', 'print JSON')
    .option('--fail-on-breaking', 'exit with 1 where a change of the API breaks clients')
    .option('--time-limit <seconds>', 'give up after this time', wholeNumber, 300)
    .option('--disk-limit <megabytes>', 'give up when the data of its engine takes more', wholeNumber, 2048)
  return command.action((directory: string | undefined) =>
    run(async () => {
      const flags = command.optsWithGlobals<CheckFlags>()
      const project = flags.project ?? directory
      const all = { ...flags, ...(project !== undefined && { project }) }
      try {
        if (isAlone(terminal)) return await check(terminal, all)
        return await runAlone(terminal, argumentsOf(command, all), all.timeLimit)
      } catch (error) {
        if (terminal.signal.aborted) throw error
        say(terminal.problems, `error: ${hidePasswords(lineOf(error))}`)
        return 2
      }
    }),
  )
}

/** Of the same check in a process of its own, without the options of the program that are for an engine. */
const argumentsOf = (command: Command, { project, color }: CheckFlags): readonly string[] => [
  ...(color === false ? ['--no-color'] : []),
  'check',
  ...(project === undefined ? [] : [`--project=${project}`]),
  ...command.options.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName())
    if (value === undefined) return []
    return [value === true ? `${option.long}` : `${option.long}=${value}`]
  }),
]

async function check(terminal: Terminal, flags: CheckFlags): Promise<number> {
  const project = flags.project === undefined ? findProject(terminal.cwd) : resolve(terminal.cwd, flags.project)
  if (flags.base !== undefined && flags.baseRef !== undefined)
    throw new ConfigError('give --base or --base-ref, not both')
  const report = await whileWaiting(terminal.problems, 'checking', withBase(terminal, flags, project))
  if (flags.json) say(terminal.out, JSON.stringify({ right: isRight(report), ...report }, null, 2))
  else if (flags.markdown) say(terminal.out, checkMarkdown(report))
  else say(terminal.out, checkText(report, paintFor(terminal.out, terminal, flags.color !== false)))
  const isBroken = flags.failOnBreaking === true && breakingChanges(report) > 0
  return isRight(report) && !isBroken ? 0 : 1
}

async function withBase(
  terminal: Terminal,
  { base, baseRef, diskLimit }: CheckFlags,
  project: string,
): Promise<CheckReport> {
  const limits = { signal: terminal.signal, diskLimit }
  const paths = await pathsOf(project)
  if (!('metadata' in paths)) return paths
  if (base === undefined && baseRef === undefined) return checkProject(paths, null, limits)
  const folder = await mkdtemp(join(tmpdir(), 'svc-base-'))
  try {
    const from = base === undefined ? folder : resolve(terminal.cwd, base)
    if (baseRef !== undefined) await writeGitTree(project, baseRef, folder, terminal.signal)
    const before = await pathsOf(from)
    if ('metadata' in before) return await checkProject(paths, before, limits)
    const report = await checkProject(paths, null, limits)
    const reasons = before.findings.map(({ message }) => `the base cannot be compared: ${message}`)
    return { ...report, notes: [...report.notes, ...reasons] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where the parts of a project are by its own config.yaml and nothing else, or what is wrong with that. */
async function pathsOf(project: string): Promise<ProjectPaths | CheckReport> {
  try {
    const file = join(project, 'config.yaml')
    await refuseUnsafe(project, [file])
    return partsOf(readConfig({ project, envfile: null }, {}, project))
  } catch (error) {
    if (!(error instanceof DirectoryError || error instanceof ConfigError)) throw error
    const { file = null, line = null, problem = error.message } = (error instanceof DirectoryError && error.found) || {}
    const finding = { kind: 'file', file, line, object: null, message: problem } as const
    return { findings: [finding], preview: null, tests: null, advice: null, notes: [] }
  }
}

const partsOf = (config: Config): ProjectPaths => ({
  project: config.project,
  metadata: config.metadataDirectory,
  migrations: config.migrationsDirectory,
  seeds: config.seedsDirectory,
  tests: config.testsDirectory,
  introspections: config.introspectionsDirectory,
})
