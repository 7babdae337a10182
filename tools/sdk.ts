/**
 * `npm run sdk`: writes sdk/schema.json from the catalogue, and by Pulumi's own generators the TypeScript SDK sdk/nodejs
 * from that. They are built by `npm run pulumi-cli`.
 */
import { rmSync } from 'node:fs'
import { generateSdks } from './sdk/generate-sdks.ts'
import { SDK_SOURCES, writeSchema } from './sdk/sources.ts'

await writeSchema()
rmSync(SDK_SOURCES, { recursive: true, force: true })
generateSdks({ nodejs: SDK_SOURCES })
