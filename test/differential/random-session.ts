import type { Random } from '../admin/random.ts'
import type { Session } from './oracle-view.ts'

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
