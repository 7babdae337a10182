import { boolean, choose, filled, isRecord, name, nonEmpty, record, type Schema, text, type Value } from '../shape.ts'

export type AllowlistScope = { readonly global: true } | { readonly global: false; readonly roles: readonly string[] }

const everyone: Schema<AllowlistScope> = record({ global: boolean })
  .refine((scope) => !('roles' in scope), { message: 'roles are not allowed when global is true', path: ['roles'] })
  .transform(() => ({ global: true as const }))
const someRoles: Schema<AllowlistScope> = record({ global: boolean, roles: nonEmpty(text) })
  .refine(({ roles }) => new Set(roles).size === roles.length, {
    message: 'duplicate roles are not allowed',
    path: ['roles'],
  })
  .transform(({ roles }) => ({ global: false as const, roles }))

/**
 * Missing on import: everyone. Without `global` true the roles must be named; with it they may not
 * (reference/stored-queries#collections-and-the-allow-list).
 */
export const allowlistScope: Schema<AllowlistScope> = choose(
  (value) => (isRecord(value) && value.global === false ? someRoles : everyone),
  [{ global: true }, { global: false }],
)

export const allowlistEntry = record({
  collection: name,
  scope: filled<AllowlistScope>(allowlistScope, { global: true }),
})
export type AllowlistEntry = Value<typeof allowlistEntry>
