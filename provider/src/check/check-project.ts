import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, keyedObject, objectName } from '@svc/schema'
import { type Advice, advise, readSilence, readSourceFacts, type Silence, silenceFile } from '../advice/index.ts'
import { ClientError } from '../client/index.ts'
import { foreignVariable, foreignVariableMessage, inconsistentObjects, walkObjects } from '../core/index.ts'
import {
  DirectoryError,
  type FilePlace,
  type MetadataFiles,
  type ReadDirectory,
  readMetadataFiles,
  shown,
} from '../directory/index.ts'
import {
  type Coverage,
  coverageOf,
  readTests,
  runTests,
  sandboxEngine,
  type TestFile,
  type TestResult,
} from '../permission-tests/index.ts'
import { openSandbox, type Sandbox, type SandboxProject } from '../sandbox/index.ts'
import { objectPaths } from './object-paths.ts'
import { fileLimits, refuseUnsafe } from './unsafe-files.ts'

/** Where a project's parts are; absolute. */
export interface ProjectPaths {
  readonly project: string
  readonly metadata: string
  readonly migrations: string
  readonly seeds: string
  readonly tests: string
  readonly introspections: string
}

/** Something that would be refused or inconsistent. */
export interface Finding extends FilePlace {
  readonly kind: 'file' | 'metadata' | 'migration' | 'seed'
  /** The object's name, where it is about one: `table artist in source default`. */
  readonly object: string | null
  readonly message: string
}

export interface CheckReport {
  readonly findings: readonly Finding[]
  /** What changes in the API (docs/preview.md); null where there is no base, or it cannot be compared. */
  readonly preview: JsonObject | null
  /** Null where they were not run, since something else is wrong. */
  readonly tests: { readonly results: readonly TestResult[]; readonly coverage: Coverage } | null
  /** What is allowed and rarely meant (docs/advice.md); null where tests were not run either. Sizes of tables are not known. */
  readonly advice: readonly (Advice & FilePlace)[] | null
  /** What was left out, and why: sentences. */
  readonly notes: readonly string[]
}

/** Whether nothing would be refused or inconsistent, and no test fails. */
export const isRight = ({ findings, tests }: CheckReport): boolean =>
  findings.length === 0 && !tests?.results.some(({ outcome }) => outcome === 'failed')

/** Checks a project against the one that it is to replace. Throws SandboxError. */
export async function checkProject(
  paths: ProjectPaths,
  base: ProjectPaths | null,
  { signal, diskLimit }: { readonly signal: AbortSignal; readonly diskLimit: number },
): Promise<CheckReport> {
  try {
    const read = await readProject(paths)
    const findings = [...findingsIn(read.directory), ...(await foreignVariablesIn(read))]
    const before = base && (await readBase(base))
    const notes = [
      ...read.directory.unused.map(({ file }) => `${file} is part of nothing that is read`),
      ...(typeof before === 'string' ? [before] : []),
    ]
    const project = { ...paths, document: read.directory.document }
    const sandbox = await openSandbox(project, signal, {
      base: typeof before === 'string' ? null : before,
      diskLimit,
    })
    try {
      return await checkIn({ sandbox, read, findings, notes })
    } finally {
      await sandbox.close()
    }
  } catch (error) {
    const finding = findingOf(error)
    if (finding) return { findings: [finding], preview: null, tests: null, advice: null, notes: [] }
    throw error
  }
}

interface ReadProject {
  readonly files: MetadataFiles
  readonly directory: ReadDirectory
  readonly tests: readonly TestFile[]
  readonly silence: readonly Silence[]
}

/** Throws DirectoryError. */
async function readProject(paths: ProjectPaths): Promise<ReadProject> {
  const { project, metadata, migrations, seeds, tests, introspections } = paths
  const silence = join(project, silenceFile)
  await refuseUnsafe(project, [metadata, migrations, seeds, tests, introspections, silence])
  const files = await readMetadataFiles(metadata, project, 'ours', { mostBytes: fileLimits.bytes })
  return {
    files,
    directory: await files.read(),
    tests: await readTests(tests),
    silence: existsSync(silence) ? readSilence(await readFile(silence, 'utf8'), shown(silence)) : [],
  }
}

/** The base as a sandbox reads it, or why it is compared with nothing. */
async function readBase(paths: ProjectPaths): Promise<SandboxProject | string> {
  try {
    const { directory } = await readProject(paths)
    return { ...paths, document: directory.document }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    return `the base cannot be compared: ${error.found?.problem ?? error.message}`
  }
}

function findingsIn({ ignored, unknown }: ReadDirectory): readonly Finding[] {
  return [...ignored, ...unknown].map(({ place, path, meant }) => {
    const [, file = place, line] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? []
    const message = `metadata has no key ${path}${meant === null ? '' : `, did you mean "${meant}"?`}`
    return { kind: 'metadata', file, line: line === undefined ? null : Number(line), object: null, message }
  })
}

/** What the engine would accept as it is written, and read as something else. */
async function foreignVariablesIn({ files, directory: { document } }: ReadProject): Promise<readonly Finding[]> {
  const places = createPlaces(files)
  const found: Finding[] = []
  for (const { object, at } of walkObjects(document)) {
    const foreign = foreignVariable(at.type, object.value)
    if (!foreign) continue
    const { name } = objectName(keyedObject(document, at))
    const place = await places(name, foreign.path)
    found.push({ kind: 'metadata', ...place, object: name, message: foreignVariableMessage(foreign) })
  }
  return found
}

/** Where an object stands in the files, by its name, or something below it. */
type Places = (name: string, below?: readonly (string | number)[]) => Promise<FilePlace>

function createPlaces(files: MetadataFiles): Places {
  let paths: ReturnType<typeof objectPaths> | null = null
  return async (name, below = []) => {
    paths ??= objectPaths(files.json)
    const path = paths.get(name)
    return path ? files.placeOf([...path, ...below]) : { file: null, line: null }
  }
}

interface ProjectToCheck {
  readonly sandbox: Sandbox
  readonly read: ReadProject
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

async function checkIn({ sandbox, read, findings, notes }: ProjectToCheck): Promise<CheckReport> {
  const { document } = read.directory
  const failed = sandbox.problems.map((problem): Finding => ({ ...problem, object: null }))
  // without its tables nothing is consistent, and nothing can be said of it
  const inconsistent = failed.length > 0 ? [] : await located(sandbox.inconsistent, createPlaces(read.files))
  const all = [...findings, ...failed, ...inconsistent]
  const left = sandbox.leftOut.map((source) => `source ${source} is of a kind that has no database here: left out`)
  const ofBase = sandbox.base?.problems.map(({ message }) => `of the base: ${message}`) ?? []
  if (failed.length > 0)
    return { findings: all, preview: null, tests: null, advice: null, notes: [...notes, ...left, ...ofBase] }
  const preview = sandbox.base && (await sandbox.preview())
  const results = await runTests(sandboxEngine(sandbox.client), read.tests, () => {})
  const used = results.flatMap((result) => result.used)
  const tests = { results, coverage: coverageOf(document, used) }
  const places = createPlaces(read.files)
  const facts = await readSourceFacts(sandbox.client, document, 'unknown')
  const advice: (Advice & FilePlace)[] = []
  for (const one of advise(document, facts, read.silence)) advice.push({ ...one, ...(await places(one.object)) })
  return { findings: all, preview, tests, advice, notes: [...notes, ...left, ...ofBase] }
}

async function located(objects: readonly JsonObject[], places: Places): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const { name, reason } of inconsistentObjects(objects))
    found.push({ kind: 'metadata', ...(await places(name)), object: name, message: reason })
  return found
}

/** What the project itself is to blame for; null for anything else. */
function findingOf(error: unknown): Finding | null {
  if (error instanceof DirectoryError) {
    const { file = null, line = null, problem = error.message } = error.found ?? {}
    return { kind: 'file', file, line, object: null, message: problem }
  }
  if (error instanceof ClientError && error.problem === 'refused' && error.body)
    return { kind: 'metadata', file: null, line: null, object: null, message: error.body.error }
  return null
}
