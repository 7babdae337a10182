/** What a rule of the oracle is: how an operation changes the plain document. */
import type { Document, Item } from './plain-document.ts'

/** The operation is refused whatever the databases hold, with one of these codes. */
export class Refusal extends Error {
  readonly codes: readonly string[]

  constructor(...codes: readonly string[]) {
    super(codes.join(' or '))
    this.codes = codes
  }
}

/** What becomes of it depends on which objects are inconsistent: those depend on nothing. */
export class Uncertain extends Error {}

export interface RuleContext {
  /** Another refusal may follow from what the databases hold: no inconsistency has to justify it. */
  may(...codes: readonly string[]): void
  /** What the engine answered; null while it is not known. */
  readonly answer: unknown
  /** Only the end state is judged: a member of an atomic bulk. */
  readonly atomic: boolean
  /** The objects that are inconsistent now, as get_inconsistent_metadata shows them. */
  readonly inconsistent: readonly Item[]
}

/** Changes the document, which is a copy. Throws Refusal. */
export type Rule = (document: Document, args: Item, context: RuleContext) => void
export type Rules = Readonly<Record<string, Rule>>

/** Codes with which a document is refused for being inconsistent (reference/metadata-requests#consistency). */
export const consistencyCodes: ReadonlySet<string> = new Set([
  'invalid-configuration',
  'unexpected',
  'constraint-violation',
  'remote-schema-error',
  'remote-schema-conflicts',
  'bad-request',
  'cyclic-dependency',
])
