import type { AdoptedResource } from './adopted-resource.ts'
import { secretsIn } from './expression.ts'
import { camelCase, identifier, namePartsOf, type ProjectNames, secretNames, uniqueNames } from './readable-names.ts'

/** `albumTable`: a name in the stack and in the program; `defaultSourceDatabaseUrl`: a key of the stack's configuration. */
export function pulumiNames(resources: readonly AdoptedResource[]): ProjectNames {
  const nameOf = (parts: readonly string[], { kind }: AdoptedResource) => camelCase(identifier([...parts, kind.name]))
  const names = uniqueNames(
    resources,
    (one) => nameOf(namePartsOf(one).short, one),
    (one) => nameOf(namePartsOf(one).whole, one),
  )
  const byAddress = new Map([...names].map(([{ address }, name]) => [address, name]))
  const resource = (address: string) => byAddress.get(address) ?? ''
  const secrets = resources.flatMap(({ inputs }) => secretsIn(inputs))
  return { resource, secret: secretNames(secrets, ({ of, path }) => camelCase(identifier([resource(of), ...path]))) }
}
