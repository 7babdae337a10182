/**
 * `npm run sdk`: writes sdk/schema.json from the catalogue, the examples in it from docs/pulumi/examples by Pulumi's own
 * converter, and by Pulumi's own generators, which `npm run pulumi-cli` builds, the SDKs sdk/nodejs and sdk/go from that. The SDK
 * for Python is generated where it is packed (bundle-python-sdk.ts).
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertedExamples, writeExamples } from './sdk/convert-examples.ts'
import { generateSdks } from './sdk/generate-sdks.ts'
import { GO_SOURCES, loadSchemaText, SCHEMA, SDK_SOURCES } from './sdk/sources.ts'

// examples are checked against the types as they are now
writeFileSync(SCHEMA, await loadSchemaText())
const examples = convertedExamples()
writeExamples(examples)
writeFileSync(SCHEMA, await loadSchemaText(examples))
// go.mod and go.sum are ours
for (const folder of [SDK_SOURCES, join(GO_SOURCES, 'svc')]) rmSync(folder, { recursive: true, force: true })
generateSdks({ nodejs: SDK_SOURCES, go: GO_SOURCES })
