import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A library of constructs that ours are made for; both have the same interface. */
export interface Library {
  /** The npm package. */
  readonly name: 'cdktf' | 'cdktn'
  readonly title: string
  /** The versions of it, and of what it stands on, that the constructs work with. */
  readonly peers: Readonly<Record<string, string>>
  /** Where the package of our constructs for it is written. */
  readonly folder: string
}

const folderOf = (name: string) => fileURLToPath(new URL(join('../../cdk', name), import.meta.url))

export const libraries: readonly Library[] = [
  {
    name: 'cdktf',
    title: 'CDK for Terraform',
    peers: { cdktf: '^0.21.0', constructs: '^10.4.2' },
    folder: folderOf('cdktf'),
  },
  {
    name: 'cdktn',
    title: 'CDK Terrain',
    peers: { cdktn: '^0.24.0', constructs: '^10.6.0' },
    folder: folderOf('cdktn'),
  },
]
