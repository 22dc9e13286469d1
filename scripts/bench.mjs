import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'
import { buildWeb } from './lib/web-build.mjs'

/** @typedef {{ figure: string, value: string, floor?: string, ratio?: string, target?: string }} Row */

const folder = join(root, 'bench')
const rowMark = 'row '
const isRow = (/** @type {string} */ line) => line.startsWith(`${rowMark}{`)

// A bench prints its rows as lines `row {json}`; its other output is shown as it is.
await runMain(async () => {
  const wanted = process.argv.slice(2)
  await ensureTools()
  await buildWeb()
  const benches = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
    .sort()
  /** @type {Row[]} */
  const rows = []
  let failed = 0
  for (const bench of benches) {
    console.log(`${bench} …`)
    const ran = await capture({ command: node, args: [join(folder, bench)], cwd: root, env: toolEnv() })
    const lines = ran.output.split('\n')
    rows.push(...lines.filter(isRow).map((line) => JSON.parse(line.slice(rowMark.length))))
    const rest = lines.filter((line) => line !== '' && !isRow(line))
    if (rest.length > 0) console.log(rest.join('\n'))
    if (ran.code !== 0) failed += 1
  }
  console.log(`\n${toTable(rows)}`)
  if (failed > 0) console.error(`\n${failed} of ${benches.length} benches failed; their output is above.`)
  return failed === 0 ? 0 : 1
})

/** @param {Row[]} rows */
function toTable(rows) {
  const columns = /** @type {const} */ (['figure', 'value', 'floor', 'ratio', 'target'])
  const cells = [[...columns], ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
