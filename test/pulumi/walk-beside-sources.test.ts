/** Every attribute that gives an object of the kinds that lie in no source another identity, by the real Pulumi, each in one update. */
import { test } from 'node:test'
import { withoutPulumi } from './requirements.ts'
import { walkByPulumi } from './walk.ts'

test(
  'every object keeps what lies in it and what names it when its identity changes',
  {
    skip: withoutPulumi,
  },
  (t) => walkByPulumi(t, 'beside sources'),
)
