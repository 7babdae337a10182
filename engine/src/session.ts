/** Who asks: made by auth/, read by everything that answers (spec 04 §2.2). */
export interface Session {
  readonly role: string
  /** Lower-case names with the prefix x-svc-, x-svc-role among them; never the admin secret. */
  readonly variables: ReadonlyMap<string, string>
}

export const adminRole = 'admin'
