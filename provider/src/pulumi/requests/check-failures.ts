import { meantWord } from '@svc/schema'
import { type Diagnostic, pathText } from '../../core/index.ts'
import { type Attributes, type AttributeType, innermost, type Path, typeInside } from '../../resources/index.ts'
import { pulumiName, snakeName } from '../names.ts'
import type { CheckFailure } from '../protocol/provider-messages.ts'
import { textOf } from './context.ts'

/**
 * What is wrong, by property. Pulumi shows the property's value next to the reason, in the clear where the program does
 * not call it secret: what is sensitive is therefore reported of the resource as a whole.
 */
export const checkFailures = (
  attributes: Attributes,
  diagnostics: readonly Diagnostic[],
  hide: (text: string) => string,
): readonly CheckFailure[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => {
      const property = shownProperty(attributes, diagnostic.path)
      const reason = hide(textOf(attributes, diagnostic))
      const own = `${property}: `
      return { property, reason: property !== '' && reason.startsWith(own) ? reason.slice(own.length) : reason }
    })

function shownProperty(attributes: Attributes, [name]: Path): string {
  const attribute = typeof name === 'string' && Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return typeof name !== 'string' || !attribute || attribute.sensitive || holdsSensitive(attribute.type)
    ? ''
    : pulumiName(name)
}

function holdsSensitive(type: AttributeType): boolean {
  const inner = innermost(type)
  if (inner.kind !== 'object') return false
  return Object.values(inner.attributes).some((one) => one.sensitive || holdsSensitive(one.type))
}

/** Properties that there are none of, with the one that may be meant. */
export const strangerFailures = (attributes: Attributes, strangers: readonly Path[]): readonly CheckFailure[] =>
  strangers.map((path) => {
    const name = String(path.at(-1))
    const meant = meantWord(name, namesAt(attributes, path.slice(0, -1)))
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    return { property: '', reason: `${pathText(path)}: there is no such property${hint}` }
  })

/** What the object at a path of Pulumi's names has. */
function namesAt(attributes: Attributes, path: Path): readonly string[] {
  let type: AttributeType | undefined = { kind: 'object', attributes }
  for (const step of path)
    type = type && typeInside(type, type.kind === 'object' ? (snakeName(type.attributes, String(step)) ?? step) : step)
  return type?.kind === 'object' ? Object.keys(type.attributes).map(pulumiName) : []
}
