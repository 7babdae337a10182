/** Who asks: made by auth/, read by everything that answers (spec 04 §2.2). */
export interface Session {
  readonly role: string
  /** Lower-case names with the prefix x-svc-, x-svc-role among them; never the admin secret. */
  readonly variables: ReadonlyMap<string, string>
  /** Whether the request asked for the permissions marked `backend_only`, and may (spec 02 §5.2, spec 04 §2.2). */
  readonly backendOnly: boolean
}

export const adminRole = 'admin'
