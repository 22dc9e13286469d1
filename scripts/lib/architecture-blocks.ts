import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { QUOTA_NAMES, QUOTAS, UNLIMITED } from '../../packages/contracts/src/installation/quotas.ts'
import { errorLists } from './error-texts.ts'
import { root } from './root.mjs'
import { arrowsBetween, readSources } from './sources.ts'
import { featureOf } from './structure.ts'

const BEGIN = '<!-- Written by `npm run guide`. -->'
const END = '<!-- Its end. -->'

/** What documents take from the code, in the order of each. */
export const DOCUMENT_BLOCKS: Readonly<Record<string, readonly (() => string)[]>> = {
  'docs/architecture.md': [featureTable],
  'docs/guide/usage-and-budgets.md': [quotaTable],
  'docs/guide/when-something-goes-wrong.md': [errorLists],
}

export function withBlocks({ page, blocks }: { page: string; blocks: readonly (() => string)[] }): string {
  const [start = '', ...pieces] = page.split(BEGIN)
  if (pieces.length !== blocks.length) throw new Error(`The page has ${pieces.length} places for blocks.`)
  const filled = pieces.map((piece, index) => {
    const [, after = ''] = piece.split(END)
    return `${BEGIN}\n\n${blocks[index]?.()}\n\n${END}${after}`
  })
  return start + filled.join('')
}

function featureTable(): string {
  const sources = readSources(root)
  const arrows = arrowsBetween(sources, featureOf)
  const names = readdirSync(join(root, 'apps/server/src/features')).toSorted()
  const rows = names.map((name) => {
    const uses = arrows.filter(({ from }) => from === name).map(({ to }) => to)
    return `| ${name} | ${uses.join(', ')} |`
  })
  return ['| feature | uses |', '| --- | --- |', ...rows].join('\n')
}

function quotaTable(): string {
  const rows = QUOTA_NAMES.map((name) => QUOTAS[name])
    .filter(({ usual }) => usual < UNLIMITED)
    .map(({ usual, unit }) => `| ${unit} | ${usual.toLocaleString('en')} |`)
  return ['| of one person | usual limit |', '| --- | --- |', ...rows].join('\n')
}
