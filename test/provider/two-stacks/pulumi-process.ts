import { createProvider, type Provider } from '../../../provider/src/core/index.ts'
import type { Decoded, Encodable, Message } from '../../../provider/src/protobuf/index.ts'
import { pulumiName, resourceToken } from '../../../provider/src/pulumi/names.ts'
import * as messages from '../../../provider/src/pulumi/protocol/provider-messages.ts'
import { newRun } from '../../../provider/src/pulumi/requests/context.ts'
import { lateMethods } from '../../../provider/src/pulumi/requests/late-methods.ts'
import type { LateMethod } from '../../../provider/src/pulumi/requests/late-names.ts'
import { providerTypes } from '../../../provider/src/pulumi/types.ts'
import type { Values } from '../../../provider/src/resources/index.ts'
import { Killed, type Line } from './stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type AnyMessage = Message<any, any>

/** One process of the plugin. */
export class PulumiProcess {
  readonly #line: Line
  readonly #methods: ReturnType<typeof lateMethods>

  constructor(line: Line) {
    this.#line = line
    const provider = makeProvider()
    const context = {
      provider,
      types: providerTypes(provider.declaration),
      environment: {},
      report: async () => {},
      run: newRun(),
    }
    this.#methods = lateMethods(context, (doing, error) => {
      throw new Error(`failed while it ${doing}: ${error instanceof Error ? error.stack : String(error)}`)
    })
  }

  async configure(adopt: boolean): Promise<void> {
    const args = { endpoint: this.#line.url, adminSecret: this.#line.secret, ...(adopt && { adoptExisting: true }) }
    await this.ask('Configure', messages.configure, { args: given(args) })
  }

  async ask<Request extends AnyMessage, Response extends AnyMessage>(
    name: LateMethod,
    types: { readonly request: Request; readonly response: Response },
    request: Encodable<Request>,
  ): Promise<Decoded<Response>> {
    if (this.#line.isKilled()) throw new Killed()
    const bytes = await this.#methods[name](types.request.encode(request))
    if (this.#line.isKilled()) throw new Killed()
    return types.response.decode(bytes) as Decoded<Response>
  }
}

export const given = (values: Values) => ({ values, secrets: null })

const makeProvider = (): Provider =>
  createProvider(
    {
      name: 'pulumi',
      version: '0',
      json: 'value',
      reference: (kind, attribute) => `the output ${pulumiName(attribute)} of the ${kind}`,
      typeName: resourceToken,
      kindName: resourceToken,
      renamed: 'Use aliases.',
    },
    {},
    { wait: 300, retryFor: 300 },
  )
