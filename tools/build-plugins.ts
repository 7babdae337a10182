/** The provider as a program for Terraform and Pulumi, and the SDKs; part of `npm run build`. */
import { rmSync } from 'node:fs'
import { writeGoModule } from './bundle-go-sdk.ts'
import { writePulumiPlugin } from './bundle-pulumi.ts'
import { writePythonPackage } from './bundle-python-sdk.ts'
import { writePulumiPackage } from './bundle-sdk.ts'
import { writeTerraformProvider } from './bundle-terraform.ts'
import { canGenerate } from './sdk/generate-sdks.ts'

await writeTerraformProvider('provider/dist/bin/terraform-provider-svc')
await writePulumiPlugin('provider/dist/bin')
rmSync('sdk/dist', { recursive: true, force: true })
await writePulumiPackage('sdk/dist')
if (canGenerate) writePythonPackage('sdk/python/dist')
else console.log('without the package for Python: `npm run pulumi-cli` builds its generator')
writeGoModule('sdk/go/dist')
