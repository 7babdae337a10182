import type { Client } from '../engine/client.ts'

/** Who wrote the metadata of late, as far as the log of changes says it. */
export interface Owner {
  /** `Terraform`, `svc` … */
  readonly tool: string
  readonly actor: string
}

interface Logged {
  readonly by: { readonly actor?: string | null; readonly user_agent?: string | null } | null
}

const tools: readonly (readonly [look: RegExp, tool: string])[] = [
  [/terraform/i, 'Terraform'],
  [/pulumi/i, 'Pulumi'],
  [/^svc/i, 'svc'],
]

/** Versions that are looked at. */
const RECENT = 200

/** The tool that declares what the engine has: what is applied from elsewhere is drift to it. Null: none has written of late. */
export async function readOwner(client: Client, version: number): Promise<Owner | null> {
  const { changes } = await client.read<{ readonly changes: readonly Logged[] }>('get_metadata_changes', {
    since_resource_version: Math.max(1, version - RECENT),
  })
  const found = changes.flatMap(({ by }) => {
    const tool = tools.find(([look]) => look.test(by?.user_agent ?? ''))?.[1]
    return tool === undefined ? [] : [{ tool, actor: by?.actor ?? '' }]
  })
  return found.at(-1) ?? null
}
