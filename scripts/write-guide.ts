import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  exampleEnvironment,
  GUIDE_BLOCKS,
  withBlocks,
} from '../apps/server/src/platform/settings/guide-blocks.ts'
import { ARCHITECTURE_BLOCKS } from './lib/architecture-blocks.ts'
import { readPages, readPromises, writePages } from './lib/behaviour.ts'
import { root } from './lib/root.mjs'

const pages = Object.entries(GUIDE_BLOCKS).map(([name, blocks]) => ({ name: `docs/guide/${name}`, blocks }))
for (const { name, blocks } of [...pages, { name: 'docs/architecture.md', blocks: ARCHITECTURE_BLOCKS }]) {
  const file = join(root, name)
  await writeFile(file, withBlocks({ page: await readFile(file, 'utf8'), blocks }))
}
await writeFile(join(root, '.env.example'), exampleEnvironment())
for (const { file, markdown } of writePages({ pages: readPages(root), promises: readPromises(root) })) {
  await writeFile(join(root, file), markdown)
}
