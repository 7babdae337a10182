/** Every attribute that gives an object of the kinds that lie in no source another identity, by the real Terraform, each in one apply. */
import { test } from 'node:test'
import { withoutTerraform } from './terraform.ts'
import { walkByTerraform } from './walk.ts'

test(
  'every object keeps what lies in it and what names it when its identity changes',
  {
    skip: withoutTerraform,
  },
  (t) => walkByTerraform(t, 'beside sources'),
)
