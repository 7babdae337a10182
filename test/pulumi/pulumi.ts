/**
 * The real `pulumi` with the plugin and the SDK as they are built, in a folder of its own with a stack `test` in a file
 * backend: `const project = await createPulumiProject(engine, t)`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedPulumiPackage } from '../../tools/bundle-sdk.ts'
import { pulumi, pulumiFolder } from '../../tools/pulumi-cli/programs.ts'
import { childrenOf } from './processes.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  /** Sends it to Pulumi alone, or to all of its group, or to the plugins of this provider. */
  signal(signal: NodeJS.Signals, whom?: 'pulumi' | 'group' | 'plugins'): void
  /** Process ids of the plugins of this provider that run. */
  plugins(): readonly number[]
  readonly ended: Promise<Run>
}

/** What a preview, an update or a destruction ends with, by operation: `{ create: 3, same: 1 }`. */
type Changes = Readonly<Record<string, number>>

/** By resource and path of the property. */
type Differences = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Diagnosis {
  readonly urn: string
  readonly severity: string
  readonly message: string
}

export interface StackResource {
  readonly urn: string
  readonly type: string
  readonly id?: string
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly outputs?: Readonly<Record<string, unknown>>
}

export interface PulumiProject {
  readonly path: string
  /** Further variables of the environment from now on; undefined removes one. */
  readonly environment: Record<string, string | undefined>
  write(file: string, text: string): void
  copy(directory: string): void
  /** Runs `pulumi` with these arguments, without colour or questions; the stack has been made. */
  run(...args: readonly string[]): Promise<Run>
  start(...args: readonly string[]): Promise<Started>
  /** Runs a line of shell, which makes its own stack; stderr ends in stdout. */
  shell(line: string): Promise<string>
  /** Runs and throws with the output where the exit code is not 0. */
  succeed(...args: readonly string[]): Promise<string>
  up(...args: readonly string[]): Promise<Changes>
  /** `preview --expect-no-changes`: whether there is something to do. Throws where it fails. */
  isChanged(...args: readonly string[]): Promise<boolean>
  /** What a preview would do, with what else it says. */
  preview(...args: readonly string[]): Promise<{ readonly changes: Changes; readonly said: readonly Diagnosis[] }>
  /** The resources of a preview with what would happen to them: `artist create`. Throws where it fails. */
  planned(...args: readonly string[]): Promise<readonly string[]>
  /** What a preview says of each property that differs: `{ album: { 'table.name': 'update-replace' } }`. Throws where it fails. */
  differences(...args: readonly string[]): Promise<Differences>
  /** Of the state, without the stack itself and providers. */
  resources(): Promise<readonly StackResource[]>
}

/** Where an engine is spoken to: an engine itself, or a proxy in front of one. */
export interface Spoken {
  readonly url: string
  readonly secret: string
}

type WithAfter = { after(cleanUp: () => Promise<void> | void): void }

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** What no change was expected of ended with. */
const CHANGED = 7

export async function createPulumiProject(engine: Spoken, t: WithAfter): Promise<PulumiProject> {
  const path = temporaryFolder(t)
  await linkModules(join(path, 'node_modules'))
  mkdirSync(join(path, '.state'))
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_|PULUMI_|CI$|CI_|GITHUB_|GITLAB_|BUILD|CIRCLE|JENKINS|NODE_)/.test(name),
  )
  const environment: Record<string, string | undefined> = {
    ...Object.fromEntries(inherited),
    PATH: [pulumiFolder, dirname(process.execPath), process.env.PATH].join(delimiter),
    PULUMI_HOME: join(path, '.home'),
    PULUMI_BACKEND_URL: `file://${join(path, '.state')}`,
    PULUMI_CONFIG_PASSPHRASE: 'a passphrase',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    PULUMI_DISABLE_REGISTRY_RESOLVE: 'true',
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true',
    // programs in TypeScript take a third less without; those of the examples are checked once
    PULUMI_NODEJS_TRANSPILE_ONLY: 'true',
    NODE_COMPILE_CACHE: join(modules, '.cache/pulumi-under-test'),
    SVC_GRAPHQL_ENDPOINT: engine.url,
    SVC_GRAPHQL_ADMIN_SECRET: engine.secret,
  }
  const running = new Set<ChildProcess>()
  t.after(() => {
    for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL')
  })
  const startRaw = (args: readonly string[]): Started =>
    startProcess(pulumi.file, [...args, '--non-interactive', '--color=never'])
  const startProcess = (command: string, args: readonly string[]): Started => {
    const child = spawn(command, args, {
      cwd: path,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own, as a shell makes one: Ctrl-C reaches Pulumi and its plugins, and no other process
      detached: true,
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    return follow(child)
  }
  let isInitialised = false
  const initialise = async () => {
    if (isInitialised) return
    const { code, stdout, stderr } = await startRaw(['stack', 'init', 'test']).ended
    if (code !== 0) throw new Error(`pulumi stack init failed:\n${stdout}${stderr}`)
    isInitialised = true
  }
  const project: PulumiProject = {
    path,
    environment,
    write(file, text) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), text)
    },
    copy: (directory) => cpSync(directory, path, { recursive: true, filter: (from) => !from.endsWith('node_modules') }),
    async start(...args) {
      await initialise()
      return startRaw(args)
    },
    run: async (...args) => (await project.start(...args)).ended,
    shell: async (line) => (await startProcess('sh', ['-c', `exec 2>&1\n${line}`]).ended).stdout,
    async succeed(...args) {
      const { code, stdout, stderr } = await project.run(...args)
      if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
      return stdout
    },
    up: async (...args) => eventsOf(await project.succeed('up', '--yes', '--skip-preview', '--json', ...args)).changes,
    async isChanged(...args) {
      const { code, stdout, stderr } = await project.run('preview', '--expect-no-changes', ...args)
      if (code !== 0 && code !== CHANGED) throw new Error(`pulumi preview ended with ${code}:\n${stdout}${stderr}`)
      return code === CHANGED
    },
    preview: async (...args) => eventsOf((await project.run('preview', '--json', ...args)).stdout),
    planned: async (...args) => plannedIn(await project.succeed('preview', '--json', ...args)),
    differences: async (...args) => differencesIn(await project.succeed('preview', '--json', ...args)),
    async resources() {
      const { deployment } = JSON.parse(await project.succeed('stack', 'export'))
      return (deployment.resources ?? []).filter(({ type }: StackResource) => !type.startsWith('pulumi:'))
    },
  }
  return project
}

/** What the tests import is taken from the checkout; of TypeScript the last version that ts-node can use. */
async function linkModules(folder: string): Promise<void> {
  const links = {
    '@svc/pulumi': await cachedPulumiPackage(),
    '@pulumi/pulumi': join(modules, '@pulumi/pulumi'),
    '@types/node': join(modules, '@types/node'),
    'ts-node': join(modules, 'ts-node'),
    typescript: join(modules, 'typescript5'),
  }
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(target, join(folder, name))
  }
}

interface PulumiEvent {
  readonly summaryEvent?: { readonly resourceChanges: Changes }
  readonly resourcePreEvent?: {
    readonly metadata: {
      readonly op: string
      readonly urn: string
      readonly type: string
      readonly detailedDiff?: Readonly<Record<string, { readonly diffKind: string }>> | null
    }
  }
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string }
}

const pulumiEvents = (output: string): readonly PulumiEvent[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** Of the lines that `--json` prints. */
function eventsOf(output: string): { readonly changes: Changes; readonly said: readonly Diagnosis[] } {
  const events = pulumiEvents(output)
  return {
    changes: events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges ?? {},
    said: events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent && diagnosticEvent.severity !== 'debug' ? [{ urn: '', ...diagnosticEvent }] : [],
    ),
  }
}

/** Without the stack, providers, what stays, and the two halves of a replacement. */
const plannedIn = (output: string): readonly string[] =>
  pulumiEvents(output).flatMap(({ resourcePreEvent }) => {
    if (!resourcePreEvent) return []
    const { op, urn, type } = resourcePreEvent.metadata
    const isOurs =
      !type.startsWith('pulumi:') && !['same', 'refresh', 'create-replacement', 'delete-replaced'].includes(op)
    return isOurs ? [`${nameOf({ urn })} ${op}`] : []
  })

const differencesIn = (output: string): Differences =>
  Object.fromEntries(
    pulumiEvents(output).flatMap(({ resourcePreEvent }) => {
      const { op = '', urn = '', detailedDiff } = resourcePreEvent?.metadata ?? {}
      if (!detailedDiff || op.includes('-replace')) return []
      const kinds = Object.entries(detailedDiff).map(([path, { diffKind }]) => [path, diffKind])
      return [[nameOf({ urn }), Object.fromEntries(kinds)]]
    }),
  )

/** `urn:pulumi:test::project::svc:index:Table::album` -> `album` */
export const nameOf = ({ urn }: { readonly urn: string }): string => urn.slice(urn.lastIndexOf('::') + 2)

function follow(child: ChildProcess): Started {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  const pid = child.pid ?? 0
  const plugins = () => childrenOf(pid, 'pulumi-resource-svc')
  return {
    ended: new Promise<Run>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, ...texts }))
    }),
    plugins,
    signal(signal, whom = 'pulumi') {
      const pids = { pulumi: [pid], group: [-pid], plugins: plugins() }[whom]
      for (const one of pids) process.kill(one, signal)
    },
  }
}
