import type { Random } from '../admin/random.ts'
import type { Session } from './oracle-view.ts'
import type { SessionVariable } from './world.ts'

/** Headers of a request: text, which is read as a permission needs it. */
export const randomSession = (random: Random): Session => ({
  'x-svc-user-id': String(random.below(5)),
  'x-svc-word': random.pick(['bee', 'cat', 'eel', `it's`, 'a "b" \\c']),
  'x-svc-ids': random.pick(['{1,2}', '{0,3,4}', '{5}', '{}']),
  'x-svc-words': random.pick(['{bee,cat}', '{a}', '{eel,b}', '{"a \\"b\\" \\\\c",cat}', '{}']),
  'x-svc-flag': random.pick(['true', 'false', 't', 'no']),
  'x-svc-uuid': `${random.pick(['0b', '3C', '9a'])}000000-0000-4000-8000-000000000000`,
  'x-svc-json': random.pick(['{"a": 1}', '{}', '{"b":0,"a":2}']),
  'x-svc-path': random.pick(['top', 'top.a', 'other']),
  'x-svc-pattern': random.pick(['%e%', 'B%', 'c__', '%']),
})

/** A variable that is not sent, or that is no value of what it is taken for, and the code that says so where it is needed. */
export interface Spoilt {
  readonly variable: SessionVariable
  readonly value: string | null
  readonly codes: readonly string[]
}

/** Functions read some of the variables themselves, for which nothing is no mistake. */
export function randomSpoilt(random: Random): Spoilt {
  if (random.chance(0.5)) {
    const variable = random.pick([
      'x-svc-ids',
      'x-svc-words',
      'x-svc-flag',
      'x-svc-uuid',
      'x-svc-json',
      'x-svc-pattern',
    ] as const)
    return { variable, value: null, codes: ['not-found'] }
  }
  const [variable, value] = random.pick([
    ['x-svc-user-id', 'abc'],
    ['x-svc-user-id', "1' OR '1'='1"],
    ['x-svc-ids', '{1,'],
    ['x-svc-flag', 'perhaps'],
    ['x-svc-uuid', 'zz'],
    ['x-svc-json', '{'],
    ['x-svc-pattern', '%\\'],
  ] as const)
  // a pattern may end in no escape: after a wildcard PostgreSQL reads as far whatever the text is
  return { variable, value, codes: ['data-exception', 'bad-request'] }
}
