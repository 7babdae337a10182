/**
 * The real `terraform` with the provider as it is built, in a folder of its own:
 * `const folder = await createTerraformFolder(engine, t)`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { version as VERSION } from '../../provider/src/version.ts'
import { cachedTerraformProvider } from '../../tools/bundle-terraform.ts'
import type { Engine } from '../engine.ts'
import { unless } from '../requirement.ts'

const isThere = spawnSync('terraform', ['version'], { stdio: 'ignore' }).status === 0

/** For the `skip` option of every test that runs Terraform. */
export const withoutTerraform = unless('terraform', isThere, 'there is no terraform in the PATH')

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly child: ChildProcess
  /** Sends it to Terraform alone, or to all of its group, or to its providers. */
  signal(signal: NodeJS.Signals, whom?: 'terraform' | 'group' | 'providers'): void
  /** Process ids of its providers that run. */
  providers(): readonly number[]
  readonly ended: Promise<Run>
  /** Resolves with the first output so far that holds this text; rejects when the run ends without it. */
  printed(text: string): Promise<void>
}

export interface TerraformFolder {
  readonly path: string
  /** Further variables of the environment from now on; undefined removes one. */
  readonly environment: Record<string, string | undefined>
  write(file: string, text: string): Promise<void>
  copy(directory: string): Promise<void>
  /** Runs `terraform` with these arguments, without colour; `init` has been run once something was written. */
  run(...args: readonly string[]): Promise<Run>
  start(...args: readonly string[]): Promise<Started>
  /** Runs a line of shell, in which terraform uses no colour; stderr ends in stdout. */
  shell(line: string): Promise<string>
  /** Runs and throws with the output where the exit code is not 0. */
  succeed(...args: readonly string[]): Promise<string>
  apply(...args: readonly string[]): Promise<string>
  /** `plan -detailed-exitcode`: whether there is something to do. Throws where it fails. */
  isChanged(...args: readonly string[]): Promise<boolean>
  /** The addresses of a plan with their actions: `svc_table.artist create`. */
  planned(...args: readonly string[]): Promise<readonly string[]>
  /** The same of an apply, which plans first. */
  applied(...args: readonly string[]): Promise<readonly string[]>
  state(): Promise<TerraformState>
}

export interface TerraformState {
  readonly resources: readonly {
    readonly mode: string
    readonly type: string
    readonly name: string
    readonly instances: readonly { readonly index_key?: string; readonly attributes: Record<string, unknown> }[]
  }[]
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export { VERSION }
export const SOURCE = 'registry.terraform.io/svc/svc'

/** What every configuration in a test begins with. */
export const requiredProvider = `terraform {
  required_providers {
    svc = { source = "svc/svc", version = "${VERSION}" }
  }
}
`

/** Where an engine is spoken to: an engine itself, or a proxy in front of one. */
export type Spoken = Pick<Engine, 'url' | 'secret'>

export async function createTerraformFolder(
  engine: Spoken,
  t: WithAfter,
  sources: readonly string[] = [SOURCE],
): Promise<TerraformFolder> {
  const path = await mkdtemp(join(tmpdir(), 'svc-terraform-'))
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  const outside = join(path, '.outside')
  await makeMirror(join(outside, 'mirror'), sources)
  const settings = join(outside, 'terraform.tfrc')
  await writeFile(
    settings,
    `provider_installation {\n  filesystem_mirror {\n    path = "${join(outside, 'mirror')}"\n  }\n}\n`,
  )
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_|TF_|CI$|CI_|GITHUB_|GITLAB_|BUILD|CIRCLE|JENKINS|NODE_)/.test(name),
  )
  const environment: Record<string, string | undefined> = {
    ...Object.fromEntries(inherited),
    // providers start a fifth faster on the Node of the tests than on Node 20
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    SVC_GRAPHQL_ENDPOINT: engine.url,
    SVC_GRAPHQL_ADMIN_SECRET: engine.secret,
  }
  const running = new Set<ChildProcess>()
  t.after(async () => {
    for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL')
  })

  let isInitialised = false
  const startRaw = (args: readonly string[]): Started => {
    const child = spawn('terraform', args, {
      cwd: path,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own, as a shell makes one: Ctrl-C reaches Terraform and its providers, and no other process
      detached: true,
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    return follow(child)
  }
  const initialise = async () => {
    if (isInitialised) return
    const { code, stdout, stderr } = await startRaw(['init', '-no-color']).ended
    if (code !== 0) throw new Error(`terraform init failed:\n${stdout}${stderr}`)
    isInitialised = true
  }
  const folder: TerraformFolder = {
    path,
    environment,
    async write(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
    copy: (directory) => cp(directory, path, { recursive: true }),
    async start(...args) {
      if (args[0] !== 'init') await initialise()
      return startRaw(args)
    },
    async shell(line) {
      await initialise()
      const flag = '-no-color'
      const uncoloured = { TF_CLI_ARGS_init: flag, TF_CLI_ARGS_plan: flag, TF_CLI_ARGS_apply: flag, NO_COLOR: '1' }
      const env = { ...environment, ...uncoloured }
      const child = spawn('sh', ['-c', `exec 2>&1\n${line}`], { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'] })
      return (await follow(child).ended).stdout
    },
    run: async (...args) => (await folder.start(...args)).ended,
    async succeed(...args) {
      const { code, stdout, stderr } = await folder.run(...args)
      if (code !== 0)
        throw new Error(
          `terraform ${args.join(' ')} ended with ${code}:\n${complaintsIn(stdout)}${complaintsIn(stderr)}`,
        )
      return stdout
    },
    apply: (...args) => folder.succeed('apply', '-no-color', '-auto-approve', ...args),
    async isChanged(...args) {
      const { code, stdout, stderr } = await folder.run('plan', '-no-color', '-detailed-exitcode', ...args)
      if (code !== 0 && code !== 2) throw new Error(`terraform plan ended with ${code}:\n${stdout}${stderr}`)
      return code === 2
    },
    planned: async (...args) => plannedIn(await folder.succeed('plan', '-json', ...args)),
    applied: async (...args) => plannedIn(await folder.succeed('apply', '-auto-approve', '-json', ...args)),
    state: async () => JSON.parse(await readFile(join(path, 'terraform.tfstate'), 'utf8')) as TerraformState,
  }
  return folder
}

export interface TerraformEvent {
  readonly type: string
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } }
  readonly diagnostic?: {
    readonly severity: string
    readonly summary: string
    readonly detail: string
    readonly address?: string
    readonly range?: { readonly filename: string; readonly start: { readonly line: number } }
    readonly snippet?: { readonly code: string }
  }
}

const plannedIn = (output: string): readonly string[] =>
  events(output).flatMap(({ type, change }) =>
    type === 'planned_change' && change ? [`${change.resource.addr} ${change.action}`] : [],
  )

/** Of what `-json` prints only what went wrong. */
const complaintsIn = (output: string): string =>
  output.startsWith('{')
    ? events(output)
        .flatMap(({ diagnostic }) =>
          diagnostic ? [`${diagnostic.address ?? ''}: ${diagnostic.summary}\n${diagnostic.detail}\n`] : [],
        )
        .join('')
    : output.slice(`${output}\nError: `.search(/^Error: /m))

/** The lines that `-json` prints. */
export const events = (output: string): readonly TerraformEvent[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

async function makeMirror(mirror: string, sources: readonly string[]): Promise<void> {
  const executable = await cachedTerraformProvider()
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`
  for (const source of sources) {
    const folder = join(mirror, source, VERSION, platform)
    await mkdir(folder, { recursive: true })
    await cp(executable, join(folder, 'terraform-provider-svc'))
  }
}

/** Terraform starts nothing but its providers. */
function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([one, parent]) => (one !== undefined && parent === pid ? [one] : []))
}

function follow(child: ChildProcess): Started {
  const texts = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
      for (const look of waiting) look()
    })
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  const providers = () => childrenOf(child.pid ?? 0)
  return {
    child,
    ended,
    providers,
    signal(signal, whom = 'terraform') {
      const pid = child.pid ?? 0
      const pids = { terraform: [pid], group: [-pid], providers: providers() }[whom]
      for (const one of pids) process.kill(one, signal)
    },
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!texts.stdout.includes(text) && !texts.stderr.includes(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
        ended.then(
          () => reject(new Error(`it ended without printing "${text}":\n${texts.stdout}${texts.stderr}`)),
          reject,
        )
      }),
  }
}
