import { globSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { QUOTA_NAMES, QUOTAS, UNLIMITED } from '../../packages/contracts/src/installation/quotas.ts'
import { errorLists } from './error-texts.ts'
import { root } from './root.mjs'
import { arrowsBetween, readSources, type Source } from './sources.ts'
import { featureOf } from './structure.ts'

const SCHEMA = /^apps\/server\/src\/database\/schema\/([\w-]+)\.ts$/

/** What documents take from the code, in the order of each. */
export const DOCUMENT_BLOCKS: Readonly<Record<string, readonly (() => string)[]>> = {
  'docs/architecture.md': [featureTable, tableList, ruleList],
  'docs/adr/019-what-a-person-may-take.md': [quotaTable],
  'docs/guide/when-something-goes-wrong.md': [errorLists],
}

function featureTable(): string {
  const sources = readSources(root)
  const arrows = arrowsBetween(sources, featureOf)
  const names = readdirSync(join(root, 'apps/server/src/features')).toSorted()
  const rows = names.map((name) => {
    const uses = arrows.filter(({ from }) => from === name).map(({ to }) => to)
    const usedBy = arrows.filter(({ to }) => to === name).map(({ from }) => from)
    return `| ${name} | ${uses.join(', ')} | ${usedBy.join(', ')} |`
  })
  return ['| feature | uses | used by |', '| --- | --- | --- |', ...rows].join('\n')
}

function tableList(): string {
  const rows = readSources(root).flatMap((source) => {
    const tables = tablesOf(source)
    return tables.length === 0 ? [] : [`| ${SCHEMA.exec(source.file)?.[1]} | ${tables.join(', ')} |`]
  })
  return ['| `database/schema/` | tables |', '| --- | --- |', ...rows].join('\n')
}

function tablesOf({ file, text }: Source): string[] {
  return SCHEMA.test(file)
    ? [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table]) => `\`${table}\``)
    : []
}

function ruleList(): string {
  const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
    join(root, '.dependency-cruiser.cjs'),
  )
  const plugins = globSync('scripts/lint/*.grit', { cwd: root }).map((file) => basename(file, '.grit'))
  const line = (title: string, names: readonly string[]) => `- ${title}: ${[...new Set(names)].join(', ')}`
  return [
    line('of imports', [...new Set(config.forbidden.map(({ name }) => name))]),
    line('of syntax', plugins.toSorted()),
  ].join('\n')
}

function quotaTable(): string {
  const rows = QUOTA_NAMES.map((name) => QUOTAS[name])
    .filter(({ usual }) => usual < UNLIMITED)
    .map(({ usual, unit }) => `| ${unit} | ${usual.toLocaleString('en')} |`)
  return ['| | usual bound |', '| --- | --- |', ...rows].join('\n')
}
