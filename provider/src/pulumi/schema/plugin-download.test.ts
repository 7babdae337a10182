import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluginDownloadUrl } from './plugin-download.ts'

test('a plugin is downloaded from the releases of the repository', () => {
  assert.equal(pluginDownloadUrl('https://github.com/shop/engine'), 'github://api.github.com/shop/engine')
  assert.equal(
    pluginDownloadUrl('https://git.example.com/shop/engine'),
    `https://git.example.com/shop/engine/releases/download/v\${VERSION}`,
  )
})
