/** The layout that docs/architecture.md describes: which file belongs to which module, and what each may import. */
import { dirname, join } from 'node:path/posix'

/**
 * The modules of each package, lowest layer first; an import may only point to a module further up in its list.
 * A module is a folder with one public API, its index.ts, or a single file.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  schema: ['.'],
  engine: [
    'errors.ts',
    'session.ts',
    'reused-bytes.ts',
    'recent-map.ts',
    'kept-for.ts',
    'within.ts',
    'retries.ts',
    'long-work.ts',
    'exact-json',
    'json-bytes',
    'observe',
    'config',
    'metrics',
    'tracing',
    'http-client',
    'telemetry',
    'templates',
    'transforms',
    'webhooks',
    'ir',
    'backends/sql.ts',
    'backends/event-store.ts',
    'backends/source-kind.ts',
    'backends/source-configuration.ts',
    'backends/database-objects.ts',
    'backends/features.ts',
    'backends/type-system.ts',
    'backends/statements.ts',
    'backends/multiplexed.ts',
    'backends/writes.ts',
    'backends/source-connection.ts',
    'backends/openable-source.ts',
    'backends/backend.ts',
    'backends/changed-tables.ts',
    'backends/coerce-json.ts',
    'backends/mssql',
    'backends/bigquery',
    'backends/postgres',
    'backends/all.ts',
    'backends/index.ts',
    'embedded',
    'remote-schemas',
    'sources',
    'pg-dump',
    'metadata',
    'model',
    'graphql',
    'actions',
    'execute',
    'row-api',
    'limits',
    'rest',
    'subscriptions',
    'auth',
    'changes',
    'requests',
    'events',
    'schedules',
    'usage',
    'preview',
    'drafts',
    'trials',
    'dry-run',
    'admin',
    'http',
    'websocket',
    'workers',
    'server',
    'commands',
    'main.ts',
  ],
  provider: [
    'lazily.ts',
    'version.ts',
    'protobuf',
    'client',
    'directory',
    'reference',
    'migrations',
    'suggest',
    'resources',
    'core',
    'terraform',
    'pulumi',
    'adopt',
    'states',
    'sandbox',
    'permission-tests',
    'advice',
    'check',
    'cli',
    'index.ts',
    'main.ts',
    'terraform-main.ts',
    'pulumi-main.ts',
  ],
}

/** Folders inside a large module, lowest first; an import may only point to a folder further up in the list. */
const foldersOf: Readonly<Record<string, readonly string[]>> = {
  'engine/src/graphql': ['document', 'types', 'selection', 'introspection', 'comparison', 'plan', 'stored-query'],
}

/** The packages of ours that each package may import, by name. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  engine: ['@svc/schema', '@svc/bigquery', '@svc/mssql'],
  provider: ['@svc/schema'],
}

const FORBIDDEN_NAMES = /(^|\/)(utils?|helpers?|common|managers?)(\/|\.|$)/
const FILE_NAME = /^[a-z0-9]+([-.][a-z0-9]+)*$/

export type SourceFile = {
  /** From the root of the repository, with slashes: engine/src/main.ts */
  readonly path: string
  readonly text: string
}

/** Everything in `files` that the layout does not allow, a line each. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...checkName(file),
    ...importsOf(file.text).flatMap((to) => checkImport(file.path, to)),
  ])
}

function checkName({ path, text }: SourceFile): string[] {
  const [, source = '', ...inside] = path.split('/')
  const problems: string[] = []
  if (!inside.every((part) => FILE_NAME.test(part))) problems.push('is not in kebab-case')
  if (FORBIDDEN_NAMES.test(path)) problems.push('is named after no one thing')
  if (/^export\s+(default\b|\{[^}]*\bas\s+default\b)/m.test(text)) problems.push('has a default export')
  if (source === 'src' && !isTest(path) && moduleOf(path) === undefined)
    problems.push('is in no module that test/structure/layout.ts lists')
  return problems.map((problem) => `${path} ${problem}`)
}

/** A test may import whatever its own package has, and the tests' own modules. */
function checkImport(from: string, specifier: string): string[] {
  const own = packageOf(from)
  const says = (problem: string) => [`${from} imports ${specifier}: ${problem}`]
  const bare = /^@svc\/[^/]+/.exec(specifier)
  if (bare) {
    if (bare[0] !== specifier) return says('a package is imported by its name alone')
    return mayImport[own]?.includes(specifier) ? [] : says(`${own} may not import it`)
  }
  if (!specifier.startsWith('.')) return []
  const to = join(dirname(from), specifier)
  if (isTest(from) && (packageOf(to) === own || packageOf(to) === 'test')) return []
  if (packageOf(to) !== own) return says('another package is imported by its name')
  // its name and version, which a bundle takes along
  if (to === `${own}/package.json`) return []
  if (isTest(to)) return says('only tests import tests')
  const [home, other] = [moduleOf(from), moduleOf(to)]
  if (home === undefined || other === undefined) return []
  if (home === other) {
    if (to === publicApiOf(home) && home !== to) return says('inside a module no file imports its public API')
    return pointsUpInside(home, from, to) ? says('it points up inside its module') : []
  }
  if (to !== publicApiOf(other)) return says(`the public API of that module is ${publicApiOf(other)}`)
  return layerOf(other) < layerOf(home) ? [] : says('it points up')
}

/** An unlisted folder is above all others, so that a new one has to be listed before others use it. */
function pointsUpInside(home: string, from: string, to: string): boolean {
  const folders = foldersOf[home]
  if (!folders) return false
  const levelOf = (path: string): number => {
    const [folder = '', ...inside] = path.slice(home.length + 1).split('/')
    // files of the module itself: settings for all, and its public API
    if (inside.length === 0) return -1
    const level = folders.indexOf(folder)
    return level < 0 ? folders.length : level
  }
  return levelOf(from) >= 0 && levelOf(to) > levelOf(from)
}

const packageOf = (path: string): string => path.slice(0, path.indexOf('/'))
const isTest = (path: string): boolean => path.endsWith('.test.ts') || !/^[^/]+\/src\//.test(path)

/** The module a file is in, as a path: engine/src/metadata, or engine/src/main.ts. */
function moduleOf(path: string): string | undefined {
  const source = `${packageOf(path)}/src`
  const modules = (layers[packageOf(path)] ?? []).map((layer) => join(source, layer))
  return modules.find((home) => path === home || path.startsWith(`${home}/`))
}

const publicApiOf = (home: string): string => (home.endsWith('.ts') ? home : `${home}/index.ts`)

const layerOf = (home: string): number =>
  (layers[packageOf(home)] ?? []).findIndex((layer) => join(packageOf(home), 'src', layer) === home)

/** The specifiers of all imports and re-exports, of types too. */
export function importsOf(text: string): string[] {
  const statement = /^\s*(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm
  const call = /\bimport\(\s*(['"])([^'"\n]+)\1/g
  return [...text.matchAll(statement), ...text.matchAll(call)].map((match) => match[2] ?? '')
}
