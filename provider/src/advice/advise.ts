import { keyedObject, type MetadataDocument, objectName } from '@svc/schema'
import { walkObjects } from '../core/index.ts'
import { inheritsMore } from './inherits-more.ts'
import { missingIndex } from './missing-index.ts'
import { noRowLimit } from './no-row-limit.ts'
import { plainHttp } from './plain-http.ts'
import { type AdvisedObject, type Counsel, permitsOf } from './rule.ts'
import { secretColumn } from './secret-column.ts'
import type { Silence } from './silence.ts'
import type { SourceFacts } from './source-facts.ts'
import { updateWithoutCheck } from './update-without-check.ts'

const rules = {
  'no-row-limit': noRowLimit,
  'secret-column': secretColumn,
  'update-without-check': updateWithoutCheck,
  'missing-index': missingIndex,
  'inherits-more': inheritsMore,
  'plain-http': plainHttp,
} as const

export type RuleName = keyof typeof rules

export interface Advice extends Counsel {
  readonly rule: RuleName
  /** As lists of inconsistent objects name it. */
  readonly object: string
  /** Why it is silenced; null where it is not. */
  readonly silenced: string | null
}

/** What the rules say of a document, by the order of its objects. */
export function advise(document: MetadataDocument, facts: SourceFacts, silence: readonly Silence[]): readonly Advice[] {
  const found: Advice[] = []
  for (const { object, at, place } of walkObjects(document)) {
    const permits = permitsOf(at.type, place)
    const advised: AdvisedObject = { type: at.type, permits, value: object.value, place, document, facts }
    for (const rule of ruleNames) {
      const counsels = rules[rule](advised)
      if (counsels.length === 0) continue
      const { name } = objectName(keyedObject(document, at))
      const silenced =
        silence.find((one) => one.rule === rule && (one.object === undefined || one.object === name))?.reason ?? null
      found.push(...counsels.map((counsel) => ({ rule, object: name, ...counsel, silenced })))
    }
  }
  return found
}

const ruleNames = Object.keys(rules) as readonly RuleName[]
