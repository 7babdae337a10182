import type { AnswerTo, AnyMessage, Rpc } from '../../protobuf/index.ts'
import { loadPulumiSchema } from '../load.ts'
import { construct } from '../protocol/monitor-messages.ts'
import * as messages from '../protocol/provider-messages.ts'
import { answerCheck } from './check.ts'
import { answerCheckConfig } from './check-config.ts'
import { answerConfigure } from './configure.ts'
import { answerConstruct } from './construct.ts'
import type { Context } from './context.ts'
import { answerCreate } from './create.ts'
import { answerDelete } from './delete.ts'
import { answerDiff } from './diff.ts'
import { answerDiffConfig } from './diff-config.ts'
import { answerInvoke } from './invoke.ts'
import type { LateMethod } from './late-names.ts'
import { answerRead } from './read.ts'
import { type Complain, type UnaryMethod, unaryMethod } from './unary-method.ts'
import { answerUpdate } from './update.ts'

/** What every other request is answered with, by its name in `pulumirpc.ResourceProvider`. */
export function lateMethods(context: Context, complain: Complain): Readonly<Record<LateMethod, UnaryMethod>> {
  const method = <Request extends AnyMessage, Response extends AnyMessage>(
    rpc: Rpc<Request, Response>,
    doing: string,
    answer: AnswerTo<Rpc<Request, Response>, Context>,
  ) => unaryMethod(rpc, doing, complain, (request) => answer(context, request))
  return {
    GetSchema: method(messages.getSchema, 'asked for its schema', async () => ({
      schema: JSON.stringify(await loadPulumiSchema()),
    })),
    CheckConfig: method(messages.check, 'checked its configuration', answerCheckConfig),
    DiffConfig: method(messages.diff, 'compared its configuration', answerDiffConfig),
    Configure: method(messages.configure, 'took its configuration', answerConfigure),
    Check: method(messages.check, 'checked a resource', answerCheck),
    Diff: method(messages.diff, 'compared a resource', answerDiff),
    Create: method(messages.create, 'made a resource', answerCreate),
    Read: method(messages.read, 'read a resource', answerRead),
    Update: method(messages.update, 'changed a resource', answerUpdate),
    Delete: method(messages.remove, 'removed a resource', answerDelete),
    Invoke: method(messages.invoke, 'called a function', answerInvoke),
    Construct: method(construct, 'made a component', answerConstruct),
    // what was sent is waited for, all else ends
    Cancel: method(messages.cancel, 'stopped', async ({ provider }) => {
      provider.stop()
      return {}
    }),
  }
}
