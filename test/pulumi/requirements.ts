import { isThere, pulumiPrograms } from '../../tools/pulumi-cli/programs.ts'
import { canConvert } from '../../tools/sdk/convert-examples.ts'
import { canGenerate } from '../../tools/sdk/generate-sdks.ts'
import { unless } from '../requirement.ts'

const remedy = '`npm run pulumi-cli` builds it'

/** For the `skip` option of every test that runs the real Pulumi. Never by running npm's `pulumi`, which would download. */
export const withoutPulumi = unless('pulumi', pulumiPrograms.every(isThere), `Pulumi is not there: ${remedy}`)

/** For the `skip` option of every test that runs the generators of the SDKs. */
export const withoutGenerators = unless('pulumi', canGenerate, `generate-sdk is not there: ${remedy}`)

/** For the `skip` option of every test that converts the examples. */
export const withoutConverter = unless('pulumi', canConvert, `convert-examples is not there: ${remedy}`)
