import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  exampleEnvironment,
  GUIDE_BLOCKS,
  withBlocks,
} from '../apps/server/src/platform/settings/guide-blocks.ts'
import { DOCUMENT_BLOCKS } from './lib/architecture-blocks.ts'
import { readPages, readPromises, writePages } from './lib/behaviour.ts'
import { root } from './lib/root.mjs'

const guide = Object.entries(GUIDE_BLOCKS).map(([page, blocks]) => [`docs/guide/${page}`, blocks] as const)
for (const [name, blocks] of [...guide, ...Object.entries(DOCUMENT_BLOCKS)]) {
  const file = join(root, name)
  await writeFile(file, withBlocks({ page: await readFile(file, 'utf8'), blocks }))
}
await writeFile(join(root, '.env.example'), exampleEnvironment())
for (const { file, markdown } of writePages({ pages: readPages(root), promises: readPromises(root) })) {
  await writeFile(join(root, file), markdown)
}
