/** The commands of a workflow file, and a run of them as the CI would run them. */
import { spawn } from 'node:child_process'
import { parse } from 'yaml'

/** Why a pipeline runs. */
export type Event = 'change request' | 'push' | 'schedule'

export interface Step {
  readonly name: string
  readonly script: string
  /** Null: at every event. */
  readonly event: Event | null
  /** Also after a step that failed. */
  readonly always: boolean
}

interface GitHubWorkflow {
  readonly jobs: Readonly<
    Record<
      string,
      { readonly steps: readonly { readonly name?: string; readonly run?: string; readonly if?: string }[] }
    >
  >
}

/** The steps of a GitHub workflow that are commands. */
export function githubSteps(text: string): readonly Step[] {
  const { jobs } = parse(text) as GitHubWorkflow
  return Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ name = '', run, if: condition = '' }) =>
      run === undefined
        ? []
        : [
            {
              name,
              script: run,
              event: eventIn(condition, 'pull_request'),
              always: condition.includes('!cancelled()'),
            },
          ],
    ),
  )
}

interface GitLabJob {
  readonly script?: readonly string[]
  readonly after_script?: readonly string[]
  readonly rules?: readonly { readonly if: string }[]
}

/** The jobs of a GitLab pipeline; what all of them begin with comes first. */
export function gitlabSteps(text: string): readonly Step[] {
  const { default: all, ...jobs } = parse(text) as Readonly<Record<string, GitLabJob>> & {
    readonly default: { readonly before_script: readonly string[] }
  }
  const before = { name: 'before', script: all.before_script.join('\n'), event: null, always: false }
  return [
    before,
    ...Object.entries(jobs).flatMap(([name, { script, rules = [] }]) =>
      script === undefined
        ? []
        : [
            {
              name,
              script: script.join('\n'),
              event: eventIn(rules[0]?.if ?? '', 'merge_request_event'),
              always: true,
            },
          ],
    ),
  ]
}

/** What a job of a GitLab pipeline ends with, whether it failed or not. */
export function gitlabAfterwards(text: string, job: string): Step {
  const jobs = parse(text) as Readonly<Record<string, GitLabJob>>
  return { name: job, script: jobs[job]?.after_script?.join('\n') ?? '', event: null, always: true }
}

function eventIn(condition: string, changeRequest: string): Event | null {
  if (condition === '') return null
  const named = [
    ['change request', changeRequest],
    ['push', 'push'],
    ['schedule', 'schedule'],
  ] as const
  const [found] = named.filter(([, name]) => new RegExp(`['"]${name}['"]`).test(condition))
  if (!found) throw new Error(`of which event speaks ${condition}?`)
  return found[0]
}

export interface StepRun {
  readonly name: string
  readonly code: number | null
  readonly output: string
}

/** Runs steps in order, each in a shell of its own as both do: it ends at the first command, also of a pipe, that fails. */
export async function runSteps(
  steps: readonly Step[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly StepRun[]> {
  const runs: StepRun[] = []
  for (const { name, script, always } of steps)
    if (always || runs.every(({ code }) => code === 0)) runs.push(await runScript(name, script, cwd, env))
  return runs
}

function runScript(name: string, script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<StepRun> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${script}`], { cwd, env })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ name, code, output }))
  })
}
