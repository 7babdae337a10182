/** What the provider's own handlers take, without Terraform, TLS and gRPC: requests as bytes in, answers as bytes out. */
import type { Decoded, Encodable, Message } from '../../provider/src/protobuf/index.ts'
import type { Attributes, Values } from '../../provider/src/resources/index.ts'
import { makeAnswering } from '../../provider/src/terraform/make-provider.ts'
import * as messages from '../../provider/src/terraform/protocol/provider-messages.ts'
import { providerService } from '../../provider/src/terraform/requests/provider-service.ts'
import { encodeValues } from '../../provider/src/terraform/values/dynamic-value.ts'
import type { Spoken } from '../../test/terraform/terraform.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type AnyMessage = Message<any, any>

export interface Instance {
  readonly typeName: string
  readonly attributes: Values
}

/** Milliseconds of CPU a resource in a plan that finds nothing to do: validate, upgrade, read, plan. */
export async function measureHandlers(engine: Spoken, instances: readonly Instance[]): Promise<number> {
  const answering = makeAnswering({ SVC_GRAPHQL_ENDPOINT: engine.url, SVC_GRAPHQL_ADMIN_SECRET: engine.secret })
  const { types } = answering.context
  const service = providerService(async () => answering, console.error)
  const ask = async <Request extends AnyMessage, Response extends AnyMessage>(
    name: keyof typeof service,
    { request, response }: { readonly request: Request; readonly response: Response },
    given: Encodable<Request>,
  ): Promise<Decoded<Response>> => {
    const method = service[name]
    const answer = method.encode(await method.answer(method.decode(request.encode(given))))
    return response.decode(answer) as Decoded<Response>
  }
  const attributesOf = (typeName: string): Attributes => types.resources.get(typeName)?.attributes ?? {}
  const config = { msgpack: encodeValues(types.config, {}) }
  await ask('ConfigureProvider', messages.configureProvider, { config })

  const one = async ({ typeName, attributes }: Instance) => {
    const value = { msgpack: encodeValues(attributesOf(typeName), attributes) }
    const written = { msgpack: encodeValues(attributesOf(typeName), { ...attributes, id: null }) }
    await ask('ValidateResourceConfig', messages.validateResourceConfig, { typeName, config: written })
    const rawState = { json: Buffer.from(JSON.stringify(attributes)) }
    await ask('UpgradeResourceState', messages.upgradeResourceState, { typeName, version: 0, rawState })
    const read = await ask('ReadResource', messages.readResource, { typeName, currentState: value })
    const plan = await ask('PlanResourceChange', messages.planResourceChange, {
      typeName,
      priorState: value,
      proposedNewState: value,
      config: written,
    })
    const reported = [...read.diagnostics, ...plan.diagnostics]
    if (reported.length > 0) throw new Error(JSON.stringify(reported[0]))
  }

  const [first, ...rest] = instances
  if (first) await one(first) // reads the export
  const before = process.cpuUsage()
  await Promise.all(rest.map(one))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / rest.length
}
