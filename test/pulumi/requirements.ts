import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isThere, pulumiPrograms } from '../../tools/pulumi-cli/programs.ts'
import { canConvert } from '../../tools/sdk/convert-examples.ts'
import { canGenerate } from '../../tools/sdk/generate-sdks.ts'
import { unless } from '../requirement.ts'

const remedy = '`npm run pulumi-cli` builds it'

/** For the `skip` option of every test that runs the real Pulumi. Never by running npm's `pulumi`, which would download. */
export const withoutPulumi = unless('pulumi', pulumiPrograms.every(isThere), `Pulumi is not there: ${remedy}`)

/** Pulumi's library for policies. */
export const policyLibrary = fileURLToPath(new URL('../../test-packages/node_modules/@pulumi/policy', import.meta.url))

/** For the `skip` option of every test that runs policy packs. */
export const withoutPolicies = unless('policies', existsSync(policyLibrary), 'there is no @pulumi/policy')

/** For the `skip` option of every test that runs the generators of the SDKs. */
export const withoutGenerators = unless('pulumi', canGenerate, `generate-sdk is not there: ${remedy}`)

/** For the `skip` option of every test that converts the examples. */
export const withoutConverter = unless('pulumi', canConvert, `convert-examples is not there: ${remedy}`)
