import { createProvider, type Provider } from '../../../provider/src/core/index.ts'
import type { Decoded, Encodable, Message } from '../../../provider/src/protobuf/index.ts'
import type { Attributes, Values } from '../../../provider/src/resources/index.ts'
import * as messages from '../../../provider/src/terraform/protocol/provider-messages.ts'
import * as answers from '../../../provider/src/terraform/requests/answers.ts'
import { providerService } from '../../../provider/src/terraform/requests/provider-service.ts'
import { providerTypes } from '../../../provider/src/terraform/types.ts'
import { encodeValues } from '../../../provider/src/terraform/values/dynamic-value.ts'
import { Killed, type Line } from './stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type AnyMessage = Message<any, any>

/** `SelectPermission` -> `svc_select_permission` */
export const typeName = (kind: string): string => `svc_${kind.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()}`

/** One process of the provider. */
export class TerraformProcess {
  readonly #line: Line
  readonly #service: ReturnType<typeof providerService>
  readonly types: ReturnType<typeof providerTypes>

  constructor(line: Line, adopt: boolean) {
    this.#line = line
    const provider = makeProvider()
    this.types = providerTypes(provider.declaration)
    const context = { provider, types: this.types }
    this.#service = providerService(
      async () => ({ context, answers }),
      (doing, error) => {
        throw new Error(`failed while it ${doing}: ${error instanceof Error ? error.stack : String(error)}`)
      },
    )
    this.configure = async () => {
      const config = { ...nulls(this.types.config), endpoint: line.url, admin_secret: line.secret }
      const values = { ...config, ...(adopt && { adopt_existing: true }) }
      const { diagnostics } = await this.ask('ConfigureProvider', messages.configureProvider, {
        config: { msgpack: encodeValues(this.types.config, values) },
      })
      if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
    }
  }

  readonly configure: () => Promise<void>

  async ask<Request extends AnyMessage, Response extends AnyMessage>(
    name: keyof typeof answers,
    types: { readonly request: Request; readonly response: Response },
    request: Encodable<Request>,
  ): Promise<Decoded<Response>> {
    if (this.#line.isKilled()) throw new Killed()
    const method = this.#service[name]
    const answer = await method.answer(method.decode(types.request.encode(request)))
    if (this.#line.isKilled()) throw new Killed()
    return types.response.decode(method.encode(answer)) as Decoded<Response>
  }

  attributes(type: string): Attributes {
    return this.types.resources.get(type)?.attributes ?? {}
  }
}

export const nulls = (attributes: Attributes): Values =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, null]))

const makeProvider = (): Provider =>
  createProvider(
    {
      name: 'terraform',
      version: '0',
      json: 'text',
      reference: (kind, attribute) => `${typeName(kind)}.<name>.${attribute}`,
      typeName,
      renamed: 'Use a moved block.',
    },
    {},
    { wait: 300, retryFor: 300 },
  )
