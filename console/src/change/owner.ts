import type { Client } from '../engine/client.ts'
import { type Owned, readOwners } from '../engine/owners.ts'

interface Logged {
  readonly by: { readonly actor?: string | null; readonly user_agent?: string | null } | null
}

const tools: readonly (readonly [look: RegExp, tool: string])[] = [
  [/terraform/i, 'Terraform'],
  [/pulumi/i, 'Pulumi'],
  [/^svc/i, 'svc'],
]

/** Versions that are read. */
const RECENT = 200

/** The tool that declares what an engine has, so that what is applied from elsewhere is drift for it. */
interface Declared {
  /** In words: its owners, or, without any, the tool that has written of late. Null: neither. */
  readonly by: string | null
  readonly owners: readonly Owned[]
}

/** Throws EngineError. */
export async function readDeclared(client: Client, version: number): Promise<Declared> {
  const owners = await readOwners(client)
  if (owners.length > 0) {
    const names = new Set(owners.map(({ owner }) => owner))
    return { by: `What this engine has is owned by ${[...names].join(', ')}`, owners }
  }
  const { changes } = await client.read<{ readonly changes: readonly Logged[] }>('get_metadata_changes', {
    since_resource_version: Math.max(1, version - RECENT),
  })
  const found = changes.flatMap(({ by }) => {
    const tool = tools.find(([look]) => look.test(by?.user_agent ?? ''))?.[1]
    return tool === undefined
      ? []
      : [`${tool} has declared what this engine has${by?.actor ? `, last as ${by.actor}` : ''}`]
  })
  return { by: found.at(-1) ?? null, owners }
}
