import { z } from 'zod'
import { ApiError, Path } from '../errors.ts'
import { adminRole, ownPrefix, type Session, variableName, withPrefix } from '../session.ts'

const trial = z.strictObject({
  scripts: z.array(z.strictObject({ source: z.string(), sql: z.string() })),
  requests: z.array(
    z.strictObject({
      role: z.string(),
      session: z.record(z.string(), z.string()),
      backend_only: z.boolean().default(false),
      body: z.unknown(),
    }),
  ),
})

/** Scripts of an administrator, then requests of roles, in one transaction of each source. */
export type Trial = z.infer<typeof trial>
export type TrialRequest = Trial['requests'][number]

/** Throws parse-failed. */
export function readTrial(json: unknown): Trial {
  const read = trial.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const keys = (issue?.path ?? []).map((key) => (typeof key === 'number' ? key : String(key)))
  throw new ApiError('parse-failed', Path.root.at('args', ...keys), issue?.message ?? 'no trial')
}

/** Throws bad-request for what is no session variable. */
export function sessionOf(request: TrialRequest, prefix: string = ownPrefix): Session {
  const { role, session, backend_only: backendOnly } = request
  const variables = new Map<string, string>()
  for (const [given, value] of Object.entries(session)) {
    const name = variableName(given, prefix)
    if (name === null) throw new ApiError('bad-request', Path.root, `"${given}" is no session variable`)
    variables.set(name, value)
  }
  if (role === adminRole) throw new ApiError('bad-request', Path.root, 'the admin has no permissions to test')
  return { role, variables: variables.set(`${prefix}role`, role), backendOnly, ...withPrefix(prefix) }
}
