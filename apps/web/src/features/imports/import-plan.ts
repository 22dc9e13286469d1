import type { ImportChoice, ImportFormat, ImportItem, ImportOutcome } from '@catenary/contracts'
import { countText } from '../../lib/text/count-text.ts'

export const FORMAT_NAMES: Record<ImportFormat, string> = {
  catenary: 'Catenary',
  openai: 'OpenAI',
  langfuse: 'Langfuse',
  markdown: 'Markdown',
  'open-webui': 'Open WebUI',
  'prompts-chat': 'prompts.chat',
  promptfoo: 'promptfoo',
}

export const CHOICE_NAMES: Record<ImportChoice, string> = {
  skip: 'Skip',
  version: 'New version',
  copy: 'Copy',
}

/** Where something stands in its file: under its record's name, where the file has several without a name of their own. */
export function placeOf({
  at,
  items,
  files,
}: { at: string } & Pick<ImportOutcome, 'items' | 'files'>): string {
  for (const item of items) {
    const whole = `${files[item.file]?.name} › ${item.at}`
    if (item.at === '' || !at.startsWith(whole)) continue
    const rest = at.slice(whole.length).replace(/^\.|^ › /, '')
    return rest === '' ? item.name : `${item.name} › ${rest}`
  }
  return at
}

export type Choices = Readonly<Record<string, ImportChoice>>

export interface Plan {
  made: number
  versions: number
  copies: number
  tests: number
  total: number
}

export function planOf(items: readonly ImportItem[], choices: Choices): Plan {
  const count = (wanted: ImportChoice) =>
    items.filter(({ key, state }) => state === 'conflict' && choices[key] === wanted).length
  const made = items.filter(({ state }) => state === 'new').length
  const [versions, copies] = [count('version'), count('copy')]
  const coming = items.filter(
    ({ key, state }) => state === 'new' || (state === 'conflict' && choices[key] === 'copy'),
  )
  const tests = coming.reduce((sum, item) => sum + item.tests, 0)
  return { made, versions, copies, tests, total: made + versions + copies }
}

export function sentenceOf({ made, versions, copies, tests, total }: Plan): string {
  if (total === 0) return 'Nothing to import.'
  const parts = [
    made > 0 && `${made.toLocaleString('en')} new`,
    versions > 0 && countText(versions, 'new version'),
    copies > 0 && `${copies.toLocaleString('en')} ${copies === 1 ? 'copy' : 'copies'}`,
  ].filter((part) => part !== false)
  const list = parts.join(', ')
  return `${list}${tests > 0 ? `, with ${countText(tests, 'test')}` : ''}.`
}

export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${countText(names.length - 5, 'more file')}` : shown
}

const KINDS = { prompt: 'prompt', chain: 'chain', suite: 'test suite' } as const

export function countedKinds(items: readonly { kind: ImportItem['kind'] }[]): string {
  const parts = (['prompt', 'chain', 'suite'] as const).flatMap((kind) => {
    const number = items.filter((item) => item.kind === kind).length
    return number === 0 ? [] : [countText(number, KINDS[kind])]
  })
  const last = parts.pop() ?? countText(0, 'prompt')
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

export function nounOf(items: readonly { kind: ImportItem['kind'] }[]): string {
  const [first, ...others] = new Set(items.map(({ kind }) => kind))
  return others.length > 0 || first === undefined ? 'record' : KINDS[first]
}

/** The choice that all conflicts have; empty where they differ. */
export function commonChoice(conflicts: readonly ImportItem[], choices: Choices): ImportChoice | '' {
  const [first, ...others] = conflicts.map(({ key }) => choices[key] ?? 'skip')
  return first !== undefined && others.every((choice) => choice === first) ? first : ''
}

export function aboutFile(
  { format, prompts, chains, tests, problem }: ImportOutcome['files'][number],
  size: string,
): string {
  if (problem !== null) return problem
  const held = [
    ...(prompts > 0 || chains + tests === 0 ? [countText(prompts, 'prompt')] : []),
    ...(chains > 0 ? [countText(chains, 'chain')] : []),
    ...(tests > 0 ? [countText(tests, 'test')] : []),
  ]
  return [`${format ? FORMAT_NAMES[format] : 'Unknown format'}, ${size}`, ...held].join(' · ')
}

export function reportText(
  title: string,
  losses: readonly { at: string; reason: string; kept?: unknown; now?: string | undefined }[],
): string {
  const lines = losses.map(({ at, reason, kept, now }) => {
    const text =
      kept === undefined ? '' : `\n${indent(typeof kept === 'string' ? kept : JSON.stringify(kept, null, 2))}`
    return `- ${at}: ${reason}${text}${now === undefined ? '' : `\n\n  Here it is\n${indent(now)}`}`
  })
  return `# ${title}\n\n${lines.length === 0 ? 'Everything was imported.' : lines.join('\n')}\n`
}

const indent = (text: string): string => text.replace(/^/gm, '    ')
