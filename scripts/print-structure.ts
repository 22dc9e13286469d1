import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './lib/root.mjs'
import { type Finding, findStructure } from './lib/structure.ts'

const PAGE = join(root, 'docs/architecture.md')

const { list, write } = parseArgs({
  options: { list: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
}).values
const findings = findStructure(root)
for (const { what, count, found } of findings) {
  console.log(`${count.toLocaleString('en').padStart(8)}  ${what}`)
  if (list) for (const each of found) console.log(`          ${each}`)
}
if (write) writeFileSync(PAGE, findings.reduce(withCount, readFileSync(PAGE, 'utf8')))

/** The page with a count in the last column of its row; of what the page lacks it stays as it is. */
function withCount(page: string, { what, count }: Finding): string {
  const start = page.indexOf(`| ${what} |`)
  if (start < 0) return page
  const end = page.indexOf('\n', start)
  const [before = ''] = page.slice(start, end).split(' |').slice(1, 2)
  return `${page.slice(0, start)}| ${what} |${before} | ${count.toLocaleString('en')} |${page.slice(end)}`
}
