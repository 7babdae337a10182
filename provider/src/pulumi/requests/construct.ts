import type { Decoded, Encodable } from '../../protobuf/index.ts'
import { isValues, type Values } from '../../resources/index.ts'
import { version } from '../../version.ts'
import { COMPONENT, componentInputs, componentToken, permissionKinds } from '../component.ts'
import { Failure } from '../failure.ts'
import { PACKAGE_NAME, resourceToken } from '../names.ts'
import { connectMonitor, type ResourceMonitor } from '../process/resource-monitor.ts'
import type { construct } from '../protocol/monitor-messages.ts'
import { marksAt } from '../values/marks.ts'
import { readNames } from '../values/named-values.ts'
import { noProperties, type Properties } from '../values/struct.ts'
import { strangerFailures } from './check-failures.ts'
import type { Answer } from './context.ts'

type Request = Decoded<typeof construct.request>

/** A table with its permissions: each is registered as a resource of its own below the component. */
export const answerConstruct: Answer<typeof construct> = async ({ run }, request) => {
  if (request.type !== componentToken) throw new Failure(`this provider has no component ${request.type}`)
  const inputs = request.inputs ?? noProperties
  const [stranger] = strangerFailures(componentInputs, readNames(componentInputs, inputs.values).strangers)
  if (stranger) throw new Failure(`${COMPONENT} ${request.name}: ${stranger.reason}`)
  const monitor = connectMonitor(request.monitorEndpoint)
  try {
    return await register(monitor, request, inputs, run.self)
  } finally {
    monitor.close()
  }
}

async function register(
  monitor: ResourceMonitor,
  { type, name, parent, protect, aliases, providers, dependencies, inputDependencies }: Request,
  inputs: Properties,
  self: string | null,
): Promise<Encodable<typeof construct.response>> {
  const own = { acceptSecrets: true, supportsPartialValues: true }
  const component = { type, name, parent, protect, dependencies, aliasURNs: aliases, providers, custom: false }
  const { urn } = await monitor.register({ ...own, ...component, object: noProperties })
  const child = { ...own, parent: urn, custom: true, version, provider: providers.get(PACKAGE_NAME) ?? self ?? '' }
  const given = [...inputDependencies].filter(([property]) => property !== 'permissions')
  const { object: made = noProperties, urn: tableUrn } = await monitor.register({
    ...child,
    type: resourceToken('Table'),
    name,
    object: without(inputs, 'permissions'),
    dependencies: given.flatMap(([, { urns }]) => urns),
    propertyDependencies: new Map(given),
  })
  const place: Values = { source: made.values.source ?? null, table: made.values.table ?? null }
  const needed = [tableUrn, ...(inputDependencies.get('permissions')?.urns ?? [])]
  await Promise.all(
    permissionsOf(inputs).map(({ role, operation, properties: { values, secrets } }) =>
      monitor.register({
        ...child,
        type: resourceToken(permissionKinds[operation]),
        name: `${name}-${role}-${operation}`,
        object: { values: { ...values, ...place, role }, secrets },
        dependencies: needed,
        propertyDependencies: new Map(
          [...Object.keys(values), 'source', 'table'].map((key) => [key, { urns: needed }]),
        ),
      }),
    ),
  )
  const outputs = { values: place, secrets: null }
  await monitor.finish({ urn, outputs })
  const origin = { urns: [tableUrn] }
  return { urn, state: outputs, stateDependencies: new Map(Object.keys(place).map((key) => [key, origin])) }
}

function without({ values, secrets }: Properties, property: string): Properties {
  const { [property]: _, ...others } = values
  return { values: others, secrets }
}

type Operation = keyof typeof permissionKinds

interface Permission {
  readonly role: string
  readonly operation: Operation
  readonly properties: Properties
}

const operations = Object.keys(permissionKinds) as readonly Operation[]

/** What is not known before an update is made in it. */
function permissionsOf({ values: { permissions = null }, secrets }: Properties): readonly Permission[] {
  const marks = marksAt(secrets, 'permissions')
  return Object.entries(isValues(permissions) ? permissions : {}).flatMap(([role, of]) =>
    operations.flatMap((operation): readonly Permission[] => {
      const values = isValues(of) ? (of[operation] ?? null) : null
      if (!isValues(values)) return []
      return [{ role, operation, properties: { values, secrets: marksAt(marksAt(marks, role), operation) } }]
    }),
  )
}
