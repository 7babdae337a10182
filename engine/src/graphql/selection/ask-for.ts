import type { GivenArgument } from './arguments.ts'
import type { Context } from './context.ts'

/** Remembers a field with its arguments. */
export function askFor(
  { asked }: Context,
  type: string,
  field: string,
  args: ReadonlyMap<string, GivenArgument>,
): void {
  if (!asked) return
  asked.member(type, field)
  for (const given of args.values()) asked.member(type, `${field}(${given.field.name})`)
}
