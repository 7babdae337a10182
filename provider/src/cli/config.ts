import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { type Environment, type TokenSource, tokenSourceOf } from '../client/index.ts'
import { DirectoryError, parseYaml } from '../directory/index.ts'

/** The flags of the command line; absent where there is none. */
export interface Flags {
  readonly project?: string
  /** Null: none is read. */
  readonly envfile?: string | null
  readonly endpoint?: string
  readonly adminSecret?: string
  readonly token?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly certificateAuthority?: string
  readonly owner?: string
  readonly breakGlass?: string
}

export interface Config {
  /** The project's folder: that of config.yaml. */
  readonly project: string
  /** Null where nothing says it. */
  readonly endpoint: string | null
  readonly adminSecret?: string | undefined
  readonly token?: TokenSource | undefined
  /** Absolute. A folder, or a file that ends in .json or .yaml. */
  readonly metadataDirectory: string
  /** Absolute. */
  readonly migrationsDirectory: string
  /** Absolute: rows for a database of tests. */
  readonly seedsDirectory: string
  /** Absolute: permission tests. */
  readonly testsDirectory: string
  /** Absolute: recorded introspections of remote schemas. */
  readonly introspectionsDirectory: string
  readonly insecure: boolean
  readonly certificateAuthority?: string | undefined
  /** The owner that the engine stores for what the project declares. */
  readonly owner?: string | undefined
  /** Why an object is changed that another client owns. */
  readonly breakGlass?: string | undefined
}

export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

const configFile = z.looseObject({
  version: z.literal(3, 'only version 3 is supported').optional(),
  endpoint: z.string('expected a text').optional(),
  admin_secret: z.string('expected a text').optional(),
  oidc_token_file: z.string('expected a text').optional(),
  oidc_audience: z.string('expected a text').optional(),
  metadata_directory: z.string('expected a text').optional(),
  migrations_directory: z.string('expected a text').optional(),
  seeds_directory: z.string('expected a text').optional(),
  tests_directory: z.string('expected a text').optional(),
  introspections_directory: z.string('expected a text').optional(),
  insecure_skip_tls_verify: z.boolean('expected true or false').optional(),
  certificate_authority: z.string('expected a text').optional(),
  owner: z.string('expected a text').optional(),
})
type ConfigFile = z.infer<typeof configFile>

/**
 * Flag over environment over .env over config.yaml (reference/metadata-directory#commands). Throws ConfigError with a
 * line for people.
 */
export function readConfig(flags: Flags, environment: Environment, cwd: string): Config {
  const project = flags.project === undefined ? findProject(cwd) : resolve(cwd, flags.project)
  if (flags.project !== undefined && !isFolder(project))
    throw new ConfigError(`--project ${flags.project} is no folder`)
  const file = readConfigFile(join(project, 'config.yaml'))
  const fromFile = readEnvFile(flags.envfile, project, cwd)
  const setting = (name: string) =>
    nonEmpty(environment[`SVC_GRAPHQL_${name}`]) ?? nonEmpty(fromFile[`SVC_GRAPHQL_${name}`])
  const token = tokenSourceOf(
    {
      token: flags.token ?? (flags.adminSecret === undefined ? setting('TOKEN') : undefined),
      oidcTokenFile: flags.adminSecret === undefined ? (setting('OIDC_TOKEN_FILE') ?? file.oidc_token_file) : undefined,
      oidcAudience: flags.adminSecret === undefined ? (setting('OIDC_AUDIENCE') ?? file.oidc_audience) : undefined,
    },
    environment,
  )
  const authority = flags.certificateAuthority ?? setting('CERTIFICATE_AUTHORITY') ?? file.certificate_authority
  const insecure =
    flags.insecureSkipTlsVerify ?? flagOf(setting('INSECURE_SKIP_TLS_VERIFY')) ?? file.insecure_skip_tls_verify
  return {
    project,
    endpoint: flags.endpoint ?? setting('ENDPOINT') ?? file.endpoint ?? null,
    adminSecret: flags.adminSecret ?? setting('ADMIN_SECRET') ?? file.admin_secret,
    token,
    metadataDirectory: resolve(project, setting('METADATA_DIRECTORY') ?? file.metadata_directory ?? 'metadata'),
    migrationsDirectory: resolve(project, setting('MIGRATIONS_DIRECTORY') ?? file.migrations_directory ?? 'migrations'),
    seedsDirectory: resolve(project, setting('SEEDS_DIRECTORY') ?? file.seeds_directory ?? 'seeds'),
    testsDirectory: resolve(project, setting('TESTS_DIRECTORY') ?? file.tests_directory ?? 'tests'),
    introspectionsDirectory: resolve(
      project,
      setting('INTROSPECTIONS_DIRECTORY') ?? file.introspections_directory ?? 'introspections',
    ),
    insecure: insecure ?? false,
    owner: flags.owner ?? setting('OWNER') ?? file.owner,
    breakGlass: flags.breakGlass,
    certificateAuthority: authority && resolve(cwd, authority),
  }
}

const nonEmpty = (value: string | undefined) => (value === '' ? undefined : value)

const flagOf = (value: string | undefined) =>
  value === undefined ? undefined : ['1', 'true', 'yes'].includes(value.toLowerCase())

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** The nearest folder upwards that has a config.yaml; else where the command was started. */
export function findProject(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'config.yaml'))) return folder
    if (folder === parse(folder).root) return cwd
  }
}

function readConfigFile(path: string): ConfigFile {
  if (!existsSync(path)) return {}
  const shown = relative(process.cwd(), path)
  const json = readYaml(path, shown)
  const result = configFile.safeParse(json ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ConfigError(`${shown}: ${issue?.path.join('.')}: ${issue?.message}`)
}

function readYaml(path: string, shown: string): unknown {
  try {
    return parseYaml(readFileSync(path, 'utf8'), shown)
  } catch (error) {
    if (error instanceof DirectoryError) throw new ConfigError(error.message)
    throw new ConfigError(`cannot read ${shown}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function readEnvFile(given: string | null | undefined, project: string, cwd: string): Environment {
  if (given === null) return {}
  const path = given === undefined ? join(project, '.env') : resolve(cwd, given)
  if (!existsSync(path)) {
    if (given === undefined) return {}
    throw new ConfigError(`--envfile ${given} does not exist`)
  }
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
}
