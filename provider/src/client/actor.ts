import { hostname, userInfo } from 'node:os'
import type { Environment } from './environment.ts'

/** Where each pipeline says what runs: a name, and the variables that make up the run's own. */
const pipelines: readonly {
  readonly name: string
  readonly when: string
  readonly run: (env: Environment) => readonly (string | undefined)[]
}[] = [
  {
    name: 'github',
    when: 'GITHUB_RUN_ID',
    run: (env) => [env.GITHUB_REPOSITORY, 'run', env.GITHUB_RUN_ID, 'by', env.GITHUB_ACTOR],
  },
  {
    name: 'gitlab',
    when: 'CI_PIPELINE_ID',
    run: (env) => [
      env.CI_PROJECT_PATH,
      'pipeline',
      env.CI_PIPELINE_ID,
      'job',
      env.CI_JOB_ID,
      'by',
      env.GITLAB_USER_LOGIN,
    ],
  },
  {
    name: 'azure',
    when: 'BUILD_BUILDID',
    run: (env) => [env.BUILD_DEFINITIONNAME, 'build', env.BUILD_BUILDID, 'by', env.BUILD_REQUESTEDFOR],
  },
  {
    name: 'buildkite',
    when: 'BUILDKITE_BUILD_NUMBER',
    run: (env) => [env.BUILDKITE_PIPELINE_SLUG, 'build', env.BUILDKITE_BUILD_NUMBER, 'by', env.BUILDKITE_BUILD_CREATOR],
  },
  {
    name: 'circleci',
    when: 'CIRCLE_BUILD_NUM',
    run: (env) => [env.CIRCLE_PROJECT_REPONAME, 'build', env.CIRCLE_BUILD_NUM, 'by', env.CIRCLE_USERNAME],
  },
  {
    name: 'hcp-terraform',
    when: 'TFC_RUN_ID',
    run: (env) => [env.TFC_WORKSPACE_SLUG ?? env.TFC_WORKSPACE_NAME, 'run', env.TFC_RUN_ID],
  },
  {
    name: 'jenkins',
    when: 'JENKINS_URL',
    run: (env) => [env.JOB_NAME, 'build', env.BUILD_NUMBER],
  },
]

/**
 * Returns the author of a change, for X-Svc-Actor (docs/metadata-api.md#what-changed): the run of a pipeline where its
 * variables say so, else user and host. An HTTP header contains only printable ASCII, the engine stores 200 characters.
 */
export function actorOf(environment: Environment, local: () => string = localActor): string {
  const pipeline = pipelines.find(({ when }) => environment[when])
  const actor = pipeline ? `${pipeline.name} ${words(pipeline.run(environment))}` : local()
  return actor.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
}

const announcing = new Set(['run', 'pipeline', 'job', 'build', 'by'])

/** A variable that is not set is left out together with the word that announces it. */
function words(parts: readonly (string | undefined)[]): string {
  return parts.filter((part, i) => part && (i % 2 === 0 || !announcing.has(part) || parts[i + 1])).join(' ')
}

function localActor(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return `unknown@${hostname()}` // a user id without an entry, as in some containers
  }
}
