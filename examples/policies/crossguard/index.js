/**
 * SVC_GRAPHQL_PLAN_ID=$(uuidgen) pulumi preview --policy-pack crossguard
 *
 * The plugin makes the plan of the preview under that id, and this requests its preview from the engine, with the svc
 * of the project and its credentials. Pulumi sends providers no deletions in a preview, so they are not in it.
 */
const { execFile } = require('node:child_process')
const { PolicyPack } = require('@pulumi/policy')

/** docs/reference/preview.schema.json says what a preview is. */
function* broken({ roles, operations }) {
  for (const { role, schema, backend } of roles)
    for (const { severity, description, used = [] } of [...schema.changes, ...(backend?.changes ?? [])])
      if (severity === 'breaking')
        for (const { operation, count } of used)
          yield `role ${role}: ${description} It was used by ${operation ?? 'an operation without a name'} ${count} times.`
  for (const { role, query, reasons } of operations)
    yield `role ${role}: ${query} no longer runs: ${reasons.join('; ')}`
}

/** Null: the plan changes nothing. */
function previewOf(plan) {
  return new Promise((resolve, reject) => {
    execFile('npx', ['--no-install', 'svc', 'plan', '--of', plan, '--format', 'json'], (error, stdout, stderr) => {
      if (!error) resolve(JSON.parse(stdout))
      else if (/has no plan /.test(stderr)) resolve(null)
      else reject(new Error(stderr || error.message))
    })
  })
}

new PolicyPack('svc', {
  policies: [
    {
      name: 'no-breaking-and-used',
      description: 'What clients have used lately, and stored operations, go on working.',
      enforcementLevel: 'mandatory',
      validateStack: async (_, reportViolation) => {
        const plan = process.env.SVC_GRAPHQL_PLAN_ID
        if (!plan) return reportViolation('SVC_GRAPHQL_PLAN_ID is not set: give each preview a UUID')
        for (const violation of broken((await previewOf(plan)) ?? { roles: [], operations: [] }))
          reportViolation(violation)
      },
    },
  ],
})
