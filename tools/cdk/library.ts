import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A library of constructs that ours are made for; both have the same interface. */
export interface Library {
  /** The npm package. */
  readonly name: 'cdktf' | 'cdktn'
  readonly title: string
  /** Where the package of our constructs for it lies. */
  readonly folder: string
}

const folderOf = (name: string) => fileURLToPath(new URL(join('../../cdk', name), import.meta.url))

export const libraries: readonly Library[] = [
  { name: 'cdktf', title: 'CDK for Terraform', folder: folderOf('cdktf') },
  { name: 'cdktn', title: 'CDK Terrain', folder: folderOf('cdktn') },
]
