/** The admin secret, as long as the tab is open: never in an address, and in no storage that outlives the tab. */
const key = 'svc-admin-secret'

export const readSecret = (): string | null => sessionStorage.getItem(key)

/** Null forgets it. */
export function keepSecret(secret: string | null): void {
  if (secret === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, secret)
}
