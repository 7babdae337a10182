import type { Attributes, AttributeType, Path } from '../resources/index.ts'
import type { PathStep } from './protocol/provider-messages.ts'

export interface SentPath {
  readonly steps: readonly PathStep[]
  /** Whether all of the path could be said. */
  readonly whole: boolean
}

/** A path as Terraform reads it. It ends where nothing can be addressed any more: in a set, in JSON. */
export function sentPath(attributes: Attributes, path: Path): SentPath {
  const steps: PathStep[] = []
  let type: AttributeType | undefined = { kind: 'object', attributes }
  for (const part of path) {
    const step: PathStep | null = type ? stepInto(type, part) : null
    if (!step) return { steps, whole: false }
    steps.push(step)
    type = typeInside(type, part)
  }
  return { steps, whole: true }
}

function stepInto(type: AttributeType | undefined, part: string | number): PathStep | null {
  if (type?.kind === 'object' && Object.hasOwn(type.attributes, part)) return { attributeName: String(part) }
  if (type?.kind === 'list' && typeof part === 'number') return { elementKeyInt: part }
  if (type?.kind === 'map') return { elementKeyString: String(part) }
  return null
}

/** The resources have one too, but a start does not wait for the declarations. */
function typeInside(type: AttributeType | undefined, part: string | number): AttributeType | undefined {
  if (type?.kind === 'object') return type.attributes[part]?.type
  return type?.kind === 'list' || type?.kind === 'map' ? type.of : undefined
}

/** `columns`, `filter._and[0].title`, `column_mapping["a b"]` */
export function pathText(path: Path): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`
      return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
    })
    .join('')
    .replace(/^\./, '')
}
