import type { ObjectType } from '@svc/schema'
import type { ResourceKind } from '../resources/index.ts'
import { errorOf } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/**
 * Which kinds a run declares of an object that has parts: the whole, or single parts. Both would undo each other with
 * every apply, so the second is an error. Stacks that run separately are not seen.
 */
export class Owners {
  readonly #declared = new Map<ObjectType, ResourceKind>()

  declare(kind: ResourceKind): readonly Diagnostic[] {
    const known = this.#declared.get(kind.type) ?? kind
    this.#declared.set(kind.type, known)
    if ((known.part === undefined) === (kind.part === undefined)) return []
    const [whole, part] = kind.part ? [known.kind, kind.kind] : [kind.kind, known.kind]
    return [
      errorOf(
        `${whole} and ${part} cannot be in one configuration`,
        `${whole} owns all of what a ${part} is one of, and removes what it does not declare itself. Use the one or the other.`,
      ),
    ]
  }
}
