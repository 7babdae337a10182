/** The policies of this folder refuse what breaks clients that use it, and nothing else. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { unless } from '../../test/requirement.ts'

const use = { hash: 'a', type: 'query', count: 1203, last: '2026-11-28T13:00:00Z', certain: true }
const change = (severity: string, at: string, more: object = {}) => ({
  change: 'FIELD_REMOVED',
  severity,
  at,
  description: `${at} was removed.`,
  ...more,
})
const row = (part: string, how: string) => ({
  source: 'default',
  table: { schema: 'public', name: 'invoice' },
  permission: 'select',
  part,
  change: how,
})
const schema = (...changes: readonly object[]) => ({ breaking: 0, dangerous: 0, safe: 0, changes })

const harmless = {
  roles: [
    {
      role: 'customer',
      schema: schema(change('breaking', 'invoice.note'), change('safe', 'invoice.paid', { used: [use] })),
      rows: [row('filter', 'wider')],
    },
    { role: 'anonymous', schema: schema(), rows: [row('filter', 'narrower')] },
  ],
  operations: [],
}

const breaking = {
  roles: [
    {
      role: 'customer',
      schema: schema(change('breaking', 'invoice.total', { used: [{ ...use, operation: 'RecentInvoices' }] })),
      backend: schema(change('breaking', 'invoice.tax', { used: [{ ...use, operation: null }] })),
      rows: [],
    },
    { role: 'anonymous', schema: schema(), rows: [row('permission', 'granted')] },
  ],
  operations: [
    { collection: 'app', query: 'Totals', role: 'customer', reasons: ['gone'], rest_endpoints: [], is_allowed: true },
  ],
}

const used = [
  'role customer: Totals no longer runs: gone',
  'role customer: invoice.tax was removed. It was used by an operation without a name 1203 times.',
  'role customer: invoice.total was removed. It was used by RecentInvoices 1203 times.',
]

const rego = join(import.meta.dirname, 'opa/api.rego')
const isThere = spawnSync('opa', ['version'], { stdio: 'ignore' }).status === 0

test('the policy in Rego', { skip: unless('opa', isThere, 'there is no opa in the PATH') }, () => {
  const denied = (preview: object) => {
    const args = ['eval', '--format', 'raw', '--stdin-input', '--data', rego, 'data.svc.api.deny']
    return JSON.parse(execFileSync('opa', args, { input: JSON.stringify(preview), encoding: 'utf8' }))
  }
  assert.deepEqual(denied(harmless), [])
  assert.deepEqual(denied(breaking), ['role anonymous: permission of public.invoice is granted', ...used])
})

/** Runs the pack with a stand-in of Pulumi's library, which prints what it reports, and an `npx` that runs this as `svc`. */
function reported(folder: string, svc: string, plan: string | undefined): readonly string[] {
  const library = join(folder, 'node_modules/@pulumi/policy')
  mkdirSync(library, { recursive: true })
  writeFileSync(
    join(library, 'index.js'),
    `exports.PolicyPack = class {
      constructor(name, { policies: [{ enforcementLevel, validateStack }] }) {
        const reports = [enforcementLevel]
        validateStack({}, (text) => reports.push(text)).then(() => console.log(JSON.stringify(reports)))
      }
    }`,
  )
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\n${svc}\n`, { mode: 0o755 })
  const pack = join(import.meta.dirname, 'crossguard/index.js')
  const env = {
    ...process.env,
    PATH: [folder, process.env.PATH].join(delimiter),
    NODE_PATH: join(folder, 'node_modules'),
    SVC_GRAPHQL_PLAN_ID: plan,
  }
  return JSON.parse(execFileSync(process.execPath, [pack], { env, encoding: 'utf8', stdio: 'pipe' }))
}

test('the policy pack for Pulumi', {
  skip: process.platform === 'win32' && 'the stand-in of npx is a shell script',
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-policies-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const shows = (preview: object) => {
    writeFileSync(join(folder, 'preview.json'), JSON.stringify(preview))
    return `test "$*" = "--no-install svc plan --of a-plan --format json" && cat '${folder}/preview.json'`
  }
  const [level, ...reports] = reported(folder, shows(breaking), 'a-plan')
  assert.equal(level, 'mandatory')
  assert.deepEqual(reports.sort(), used)
  assert.deepEqual(reported(folder, shows(harmless), 'a-plan'), ['mandatory'])
  const none = "echo 'error: the engine at http://engine has no plan a-plan' >&2; exit 1"
  assert.deepEqual(reported(folder, none, 'a-plan'), ['mandatory'])
  assert.throws(() => reported(folder, "echo 'error: unauthorised' >&2; exit 1", 'a-plan'), /unauthorised/)
  assert.deepEqual(reported(folder, none, undefined), [
    'mandatory',
    'SVC_GRAPHQL_PLAN_ID is not set: give each preview a UUID',
  ])
})
