import type { AdoptedResource } from './adopted-resource.ts'
import { secretsIn } from './expression.ts'
import { camelCase, identifier, namePartsOf, uniqueNames } from './readable-names.ts'

/** What resources and secrets are called in a program. */
export interface PulumiNames {
  /** `albumTable`: its name in the stack and in the program. */
  readonly resource: (address: string) => string
  /** `defaultSourceDatabaseUrl`: a key of the stack's configuration. */
  readonly secret: (of: string, path: readonly string[]) => string
}

export function pulumiNames(resources: readonly AdoptedResource[]): PulumiNames {
  const nameOf = (parts: readonly string[], { kind }: AdoptedResource) => camelCase(identifier([...parts, kind.name]))
  const names = uniqueNames(
    resources,
    (one) => nameOf(namePartsOf(one).short, one),
    (one) => nameOf(namePartsOf(one).whole, one),
  )
  const byAddress = new Map([...names].map(([{ address }, name]) => [address, name]))
  const resource = (address: string) => byAddress.get(address) ?? ''
  const secrets = resources.flatMap(({ inputs }) => inputs.flatMap(([, value]) => secretsIn(value)))
  const secretName = ({ of, path }: (typeof secrets)[number]) => camelCase(identifier([resource(of), ...path]))
  const bySecret = new Map(
    [...uniqueNames(secrets, secretName, secretName)].map(([{ of, path }, name]) => [JSON.stringify([of, path]), name]),
  )
  return { resource, secret: (of, path) => bySecret.get(JSON.stringify([of, path])) ?? '' }
}
