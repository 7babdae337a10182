/** The real `svc` command as a process, for tests, in a folder of its own. */
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { Engine } from '../engine.ts'
import { fastFolder } from '../fast-folder.ts'

type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

type Started = {
  kill(signal: NodeJS.Signals): void
  /** The first line of stdout; empty when it ends without one. */
  readonly line: Promise<string>
  readonly ended: Promise<Run>
}

export type SvcFolder = {
  readonly path: string
  /** Runs `svc` with these arguments against the engine. */
  svc(...args: readonly string[]): Promise<Run>
  /** The same, to be interrupted. */
  start(...args: readonly string[]): Started
  /** Runs a line of shell, where `svc` is the command; stderr ends in stdout. */
  shell(line: string): Promise<string>
  write(file: string, text: string): Promise<void>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** One module where many tests run (tools/test/bundle-program.ts). */
const launcher = process.env.SVC_TEST_CLI ?? new URL('../../provider/bin/svc.js', import.meta.url).pathname

/** An empty folder whose commands speak to `engine`, as a user outside of any pipeline. */
export async function createSvcFolder(engine: Pick<Engine, 'url' | 'secret'>, t: WithAfter): Promise<SvcFolder> {
  const path = await mkdtemp(join(fastFolder(), 'svc-cli-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  const bin = join(path, '.bin')
  await mkdir(bin)
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`)
  await chmod(join(bin, 'svc'), 0o755)
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_|CI$|CI_|GITHUB_|GITLAB_|BUILD|CIRCLE|JENKINS)/.test(name),
  )
  const env = { ...Object.fromEntries(inherited), PATH: `${bin}${delimiter}${process.env.PATH}`, TMPDIR: fastFolder() }
  const settings = { SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret }
  return {
    path,
    svc: (...args) => start(process.execPath, [launcher, ...args], path, { ...env, ...settings }).ended,
    start: (...args) => start(process.execPath, [launcher, ...args], path, { ...env, ...settings }),
    shell: async (line) => (await start('sh', ['-c', `exec 2>&1\n${line}`], path, env).ended).stdout,
    async write(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
  }
}

function start(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Started {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text
  })
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  const line = new Promise<string>((resolve) => {
    child.stdout.on('data', () => texts.stdout.includes('\n') && resolve(texts.stdout.split('\n', 1)[0] ?? ''))
    child.once('close', () => resolve(''))
  })
  return { kill: (signal) => void child.kill(signal), line, ended }
}
