import type { InputField, TypeRef } from './type.ts'

/** An input field without default. */
export const field = <M>(
  name: string,
  type: TypeRef,
  meaning: M,
  description: string | null = null,
): InputField<M> => ({
  name,
  description,
  type,
  defaultValue: null,
  meaning,
})

/** The same with a meaning of its own. */
export const meaning = <M>(of: InputField<unknown>, meaning: M): InputField<M> => ({ ...of, meaning })
