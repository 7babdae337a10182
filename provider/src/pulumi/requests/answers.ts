import { answerCancel } from './cancel.ts'
import { answerCheck } from './check.ts'
import { answerCheckConfig } from './check-config.ts'
import { answerConfigure } from './configure.ts'
import { answerCreate } from './create.ts'
import { answerDelete } from './delete.ts'
import { answerDiff } from './diff.ts'
import { answerDiffConfig } from './diff-config.ts'
import { answerGetSchema } from './get-schema.ts'
import { answerInvoke } from './invoke.ts'
import { answerRead } from './read.ts'
import { answerUpdate } from './update.ts'

/** What each request is answered with, by its name in the protocol. */
export const answers = {
  GetSchema: answerGetSchema,
  CheckConfig: answerCheckConfig,
  DiffConfig: answerDiffConfig,
  Configure: answerConfigure,
  Check: answerCheck,
  Diff: answerDiff,
  Create: answerCreate,
  Read: answerRead,
  Update: answerUpdate,
  Delete: answerDelete,
  Invoke: answerInvoke,
  Cancel: answerCancel,
}

export type Answers = typeof answers
