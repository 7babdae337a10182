/**
 * The music store as constructs declare it: the same metadata as the directory ../metadata.
 *
 *   export SVC_GRAPHQL_ENDPOINT=http://localhost:8080 SVC_GRAPHQL_ADMIN_SECRET=...
 *   node main.ts && terraform -chdir=cdktf.out/stacks/music-store init && terraform -chdir=cdktf.out/stacks/music-store apply
 *
 * For CDK Terrain import from 'cdktn' and '@svc/cdktn' instead.
 */
import { SvcProvider } from '@svc/cdktf'
import { App, TerraformStack } from 'cdktf'
import { declareFunctions } from './functions.ts'
import { declarePermissions } from './permissions.ts'
import { declareRelationships } from './relationships.ts'
import { declareTables } from './tables.ts'

const app = new App()
const stack = new TerraformStack(app, 'music-store')

// A first start of the engine makes the source "default": it is taken over, as long as it is what is declared here.
new SvcProvider(stack, 'svc', { adoptExisting: true })

const store = declareTables(stack)
const relationships = declareRelationships(stack, store)
declarePermissions(stack, store, relationships, declareFunctions(stack, store))

app.synth()
