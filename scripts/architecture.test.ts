import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withBlocks } from '../apps/server/src/guide-blocks.ts'
import { ARCHITECTURE_BLOCKS } from './lib/architecture-blocks.ts'
import { root } from './lib/root.mjs'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test('what the architecture takes from the code is as the code is; `npm run guide` writes it', () => {
  expect(page).toBe(withBlocks({ page, blocks: ARCHITECTURE_BLOCKS }))
})

test('every page that it leads to is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([])
})
