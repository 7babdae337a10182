import { hostname, userInfo } from 'node:os'
import type { Environment } from './environment.ts'

/**
 * Pipelines: what each is called, the variable that it alone sets, and what it says of a run, variables in capitals. Of two with a
 * bar between them the first that is set.
 */
const pipelines = [
  ['github', 'GITHUB_RUN_ID', 'GITHUB_REPOSITORY run GITHUB_RUN_ID by GITHUB_ACTOR'],
  ['gitlab', 'CI_PIPELINE_ID', 'CI_PROJECT_PATH pipeline CI_PIPELINE_ID job CI_JOB_ID by GITLAB_USER_LOGIN'],
  ['azure', 'BUILD_BUILDID', 'BUILD_DEFINITIONNAME build BUILD_BUILDID by BUILD_REQUESTEDFOR'],
  [
    'buildkite',
    'BUILDKITE_BUILD_NUMBER',
    'BUILDKITE_PIPELINE_SLUG build BUILDKITE_BUILD_NUMBER by BUILDKITE_BUILD_CREATOR',
  ],
  ['circleci', 'CIRCLE_BUILD_NUM', 'CIRCLE_PROJECT_REPONAME build CIRCLE_BUILD_NUM by CIRCLE_USERNAME'],
  ['hcp-terraform', 'TFC_RUN_ID', 'TFC_WORKSPACE_SLUG|TFC_WORKSPACE_NAME run TFC_RUN_ID'],
  ['jenkins', 'JENKINS_URL', 'JOB_NAME build BUILD_NUMBER'],
] as const

/**
 * Returns the author of a change, for X-Svc-Actor (docs/metadata-api.md#what-changed): the run of a pipeline where its
 * variables say so, else user and host. An HTTP header contains only printable ASCII, the engine stores 200 characters.
 */
export function actorOf(environment: Environment, local: () => string = localActor): string {
  const [name, , run] = pipelines.find(([, variable]) => environment[variable]) ?? []
  const actor = name === undefined ? local() : `${name} ${words(run ?? '', environment)}`
  return actor.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
}

/** A variable that is not set is left out together with the word that announces it. */
function words(run: string, environment: Environment): string {
  const phrases = [...run.matchAll(/([a-z]+ )?([A-Z_|]+)/g)].flatMap(([, word = '', names = '']) => {
    const value = names
      .split('|')
      .map((name) => environment[name])
      .find(Boolean)
    return value ? [`${word}${value}`] : []
  })
  return phrases.join(' ')
}

function localActor(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return `unknown@${hostname()}` // a user id without an entry, as in some containers
  }
}
