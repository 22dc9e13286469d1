import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exampleEnvironment } from '../apps/server/src/platform/settings/example-environment.ts'
import { DOCUMENT_BLOCKS, withBlocks } from './lib/architecture-blocks.ts'
import { readPages, readPromises, writePages } from './lib/behaviour.ts'
import { root } from './lib/root.mjs'

for (const [name, blocks] of Object.entries(DOCUMENT_BLOCKS)) {
  const file = join(root, name)
  await writeFile(file, withBlocks({ page: await readFile(file, 'utf8'), blocks }))
}
await writeFile(join(root, '.env.example'), exampleEnvironment())
for (const { file, markdown } of writePages({ pages: readPages(root), promises: readPromises(root) })) {
  await writeFile(join(root, file), markdown)
}
