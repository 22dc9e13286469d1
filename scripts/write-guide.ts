import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GUIDE_BLOCKS, withBlocks } from '../apps/server/src/guide-blocks.ts'

const guide = join(import.meta.dirname, '../docs/guide')
for (const [name, blocks] of Object.entries(GUIDE_BLOCKS)) {
  const file = join(guide, name)
  await writeFile(file, withBlocks({ page: await readFile(file, 'utf8'), blocks }))
}
