import type { OidcTrust } from '../../metadata/index.ts'

type Claims = Readonly<Record<string, unknown>>

/** Whether a token with these claims is meant by a trust: for one of its audiences, and each claim fits. */
export function matchesTrust(claims: Claims, trust: OidcTrust): boolean {
  const audiences = textsOf(claims.aud)
  return (
    trust.audiences.some((audience) => audiences.includes(audience)) &&
    Object.entries(trust.claims).every(([name, patterns]) => {
      const values = Object.hasOwn(claims, name) ? textsOf(claims[name]) : []
      return values.some((value) => [patterns].flat().some((pattern) => fits(pattern, value)))
    })
  )
}

/** A claim as texts; what is no text, number or boolean, or a list of them, fits nothing. */
function textsOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [],
  )
}

/** `*` stands for any characters, none included. One pass: a pattern of many stars must cost no more. */
function fits(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return value === first
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false
  let at = first.length
  const end = value.length - last.length
  for (const part of rest) {
    const found = value.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
