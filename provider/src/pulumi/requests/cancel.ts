import type { Context } from './context.ts'

/** What was sent is waited for, all else ends. */
export async function answerCancel({ provider }: Context): Promise<object> {
  provider.stop()
  return {}
}
