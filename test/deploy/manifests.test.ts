import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Deployment } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { parseArguments, readConfig } from '../../engine/src/config/index.ts'

/** The schemas that Kubernetes publishes; they let keys pass that they do not know. */
const kinds = { Deployment, PodDisruptionBudget, ConfigMap, Secret, Service }

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../examples/deploy/${name}`, import.meta.url)), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
const manifestsOf = (name: string): readonly any[] => parseAllDocuments(textOf(name)).map((one) => one.toJS())

const engine = manifestsOf('engine.yaml')
const ofKind = (kind: string) => engine.find((manifest) => manifest.kind === kind)
const [container] = ofKind('Deployment').spec.template.spec.containers

function validate(manifest: { readonly kind: keyof typeof kinds }): void {
  // biome-ignore lint/suspicious/noExplicitAny: each class takes what its own schema says
  ;new (kinds[manifest.kind] as any)(manifest).validate()
}

const monitoring = manifestsOf('monitoring.yaml')

test('Prometheus finds the service, and has the secret that the engine wants', () => {
  const [{ spec }] = monitoring
  assert.deepEqual(spec.selector.matchLabels, ofKind('Service').metadata.labels)
  const [{ port, path, authorization }] = spec.endpoints
  assert.equal(port, ofKind('Service').spec.ports[0].name)
  assert.equal(path, '/v1/metrics')
  const { name, key } = authorization.credentials
  assert.equal(name, ofKind('Secret').metadata.name)
  assert.ok(ofKind('Secret').stringData[key])
  assert.equal(authorization.type, 'Bearer')
})

for (const name of ['engine.yaml', 'pgbouncer.yaml'])
  test(`${name} is what the schemas of Kubernetes say`, () => {
    for (const manifest of manifestsOf(name)) validate(manifest)
  })

test('those schemas notice a wrong value and a key that is missing', () => {
  const deployment = ofKind('Deployment')
  assert.throws(() => validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } }))
  const { selector: _, ...spec } = deployment.spec
  assert.throws(() => validate({ ...deployment, spec }))
})

test('the engine can read the settings of its manifests, and gets time for its graceful shutdown', () => {
  const environment: Record<string, string> = { ...ofKind('Secret').stringData }
  for (const { name, value } of container.env) environment[name] = value
  const known = textOf('../../docs/configuration.md')
  for (const name of Object.keys(environment)) assert.ok(known.includes(`\`${name}\``), name)
  const config = readConfig(parseArguments(['serve']).flags, environment)
  assert.equal(config.workers, 2)
  assert.equal(config.serverPort, container.ports[0].containerPort)
  const { terminationGracePeriodSeconds } = ofKind('Deployment').spec.template.spec
  assert.ok(terminationGracePeriodSeconds > config.gracefulShutdownTimeout + config.shutdownDelay)
})

test('services and budgets choose the pods of their deployment', () => {
  const { labels } = ofKind('Deployment').spec.template.metadata
  assert.deepEqual(ofKind('Deployment').spec.selector.matchLabels, labels)
  assert.deepEqual(ofKind('Service').spec.selector, labels)
  assert.deepEqual(ofKind('PodDisruptionBudget').spec.selector.matchLabels, labels)
})

test('the image runs the program of the package, as the user and on the port of the manifests', () => {
  const lines = textOf('Containerfile').split('\n')
  const after = (word: string) => lines.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1)
  const manifest = JSON.parse(readFileSync(new URL('../../engine/package.json', import.meta.url), 'utf8'))
  const program = `/opt/svc/node_modules/${manifest.name}/${manifest.bin['svc-engine'].slice(2)}`
  assert.deepEqual(JSON.parse(after('ENTRYPOINT') ?? ''), ['node', program])
  assert.equal(Number(after('USER')), ofKind('Deployment').spec.template.spec.securityContext.runAsUser)
  assert.equal(Number(after('EXPOSE')), container.ports[0].containerPort)
  assert.equal(container.image.split(':').at(-1), manifest.version)
})
