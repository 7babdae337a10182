import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorOf } from './index.ts'

const local = () => 'mia@laptop'

test('without a pipeline the actor is user and host', () => {
  assert.equal(actorOf({}, local), 'mia@laptop')
  assert.match(actorOf({}), /.@./)
})

test('each pipeline is named by its run', () => {
  const runs: readonly (readonly [Record<string, string>, string])[] = [
    [{ GITHUB_RUN_ID: '77', GITHUB_REPOSITORY: 'a/b', GITHUB_ACTOR: 'mia' }, 'github a/b run 77 by mia'],
    [
      { CI_PIPELINE_ID: '5', CI_PROJECT_PATH: 'a/b', CI_JOB_ID: '9', GITLAB_USER_LOGIN: 'mia' },
      'gitlab a/b pipeline 5 job 9 by mia',
    ],
    [{ BUILD_BUILDID: '5', BUILD_DEFINITIONNAME: 'deploy', BUILD_REQUESTEDFOR: 'Mia' }, 'azure deploy build 5 by Mia'],
    [
      { BUILDKITE_BUILD_NUMBER: '5', BUILDKITE_PIPELINE_SLUG: 'p', BUILDKITE_BUILD_CREATOR: 'Mia' },
      'buildkite p build 5 by Mia',
    ],
    [{ CIRCLE_BUILD_NUM: '5', CIRCLE_PROJECT_REPONAME: 'r', CIRCLE_USERNAME: 'mia' }, 'circleci r build 5 by mia'],
    [{ TFC_RUN_ID: 'run-5', TFC_WORKSPACE_NAME: 'music' }, 'hcp-terraform music run run-5'],
    [{ JENKINS_URL: 'http://j', JOB_NAME: 'deploy', BUILD_NUMBER: '5' }, 'jenkins deploy build 5'],
  ]
  for (const [environment, actor] of runs) assert.equal(actorOf(environment, local), actor)
})

test('a variable that is not set leaves no gap', () => {
  assert.equal(actorOf({ GITHUB_RUN_ID: '77', GITHUB_REPOSITORY: 'a/b' }, local), 'github a/b run 77')
})

test('an actor fits into a header', () => {
  const actor = actorOf({}, () => `Zoë\r\nX-Evil: 1${'x'.repeat(300)}`)
  assert.equal(actor.length, 200)
  assert.match(actor, /^Zo\?\?\?X-Evil/)
})
