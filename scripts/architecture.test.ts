import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCUMENT_BLOCKS, withBlocks } from './lib/architecture-blocks.ts'
import { root } from './lib/root.mjs'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test.each(Object.entries(DOCUMENT_BLOCKS))(
  'what %s takes from the code is as the code is; `npm run guide` writes it',
  (file, blocks) => {
    const page = readFileSync(join(root, file), 'utf8')
    expect(page).toBe(withBlocks({ page, blocks }))
  },
)

test('every page that it leads to is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([])
})

/** The files and folders that a text names by their whole path. */
function placesIn(markdown: string): string[] {
  return [...markdown.matchAll(/`((?:apps|packages|docs|e2e|scripts)\/[\w./-]+)`/g)].map(
    ([, place = '']) => place,
  )
}

/** The files of a table whose rows begin with their folder. */
function placesInRows(markdown: string): string[] {
  return [...markdown.matchAll(/^\| [^|]*`((?:apps|packages)\/[\w./-]+\/)` \|(.+)\|$/gm)].flatMap(
    ([, folder = '', cells = '']) =>
      [...cells.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file]) => folder + file),
  )
}

test('every file that CONTRIBUTING names is there', () => {
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [places, inRows] = [placesIn(contributing), placesInRows(contributing)]
  expect(places.length).toBeGreaterThan(20)
  expect(inRows.length).toBeGreaterThan(15)
  expect([...places, ...inRows].filter((place) => !existsSync(join(root, place)))).toEqual([])
})
