import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './lib/folders.mjs'
import { notesOf } from './lib/release-notes.mjs'
import { root, runMain } from './lib/toolchain.mjs'

// Says what a version's release says: the tag, package.json and CHANGELOG.md must agree on it.
await runMain(async () => {
  const [tag = ''] = process.argv.slice(2)
  const { version } = readJson(join(root, 'package.json'))
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  process.stdout.write(notesOf({ tag, version, changes }))
  return 0
})
