/** value-faults: values that have the right shape and that no engine can serve. Begin at rules-of-kinds.ts. */
import type { JsonObject } from '../json.ts'
import type { ObjectType } from '../object-kinds.ts'
import type { Rule, ValueFault } from './rule.ts'
import * as rulesOfKinds from './rules-of-kinds.ts'

export type { ValueFault } from './rule.ts'

const rules: Readonly<Record<ObjectType, Rule>> = rulesOfKinds

/** What is wrong with an object's canonical value, whatever other objects there are; empty: an engine could serve it. */
export const valueFaults = (type: ObjectType, value: JsonObject): readonly ValueFault[] => rules[type](value)
