import type { Item } from './items.ts'
import { chosen, type Material, type MaterialItem, underHeadings } from './material.ts'
import { plain, softened, toneOf } from './wording.ts'
import { capitalized, dateIn, keyWords, moneyIn, oneLine, sentencesOf } from './words.ts'

const COMMIT =
  /^(?:[\da-f]{7,40}\s+)?(?:(feat|fix|perf|docs|refactor|chore|test|build|ci|style|revert|breaking)(?:\(([^)]{1,40})\))?(!)?:\s*)?(\S.*)$/i
const GROUPS = [
  { heading: 'Breaking', kind: /^breaking$/, verb: /^(?:remove|drop)/i },
  { heading: 'New', kind: /^feat$/, verb: /^(?:add|introduce|allow|support|let|show|new)\b/i },
  { heading: 'Fixed', kind: /^(?:fix|revert)$/, verb: /^(?:fix|mend|repair|correct|prevent|stop|handle)/i },
  { heading: 'Faster', kind: /^perf$/, verb: /^(?:speed|cache|faster)/i },
  {
    heading: 'Changed',
    kind: /^(?:refactor|style)$/,
    verb: /^(?:change|update|rename|move|improve|use|make|replace)/i,
  },
  { heading: 'Documents', kind: /^docs$/, verb: /^document/i },
] as const
const TONE = /\b(?:tone|sound|polite|kind(?:er|ness)|friendl|harsh|blunt)/i
const PLAIN = /\b(?:plain|simple|legal|contract|everyday|easy)\b/i

export function writeList({
  material,
  isNumbered = false,
}: {
  material: Material
  isNumbered?: boolean
}): string {
  return chosen(material)
    .map((item, index) => `${isNumbered ? `${index + 1}.` : '-'} ${line(item, material.request.ask)}`)
    .join('\n')
}

export function writeSections({ material, headings }: { material: Material; headings: string[] }): string {
  return underHeadings({ items: material.items, headings })
    .map(({ heading, items }) => {
      const lines = items.map((item) => `- ${line(item, material.request.ask)}`)
      return `## ${capitalized(heading)}\n\n${lines.length > 0 ? lines.join('\n') : '- Nothing in the given text.'}`
    })
    .join('\n\n')
}

export function writeReleaseNotes({ items }: Material): string {
  const notes = items.map(({ label, text }) => noteOf(label === '' ? text : `${label}: ${text}`))
  const headings = [...GROUPS.map(({ heading }) => heading), 'Also'] as const
  return headings
    .flatMap((heading) => {
      const own = notes.filter((note) => note.heading === heading)
      return own.length === 0 ? [] : [`## ${heading}\n\n${own.map((note) => `- ${note.text}`).join('\n')}`]
    })
    .join('\n\n')
}

function noteOf(commit: string): { heading: string; text: string } {
  const [, type = '', scope, mark, message = commit] = COMMIT.exec(commit) ?? []
  const kind = mark === '!' ? 'breaking' : type.toLowerCase()
  const group = GROUPS.find((one) => (kind === '' ? one.verb.test(message) : one.kind.test(kind)))
  const text = capitalized(oneLine(message))
  return {
    heading: group?.heading ?? 'Also',
    text: scope === undefined ? text : `**${capitalized(scope)}**: ${text}`,
  }
}

export function writeSummary(material: Material): string {
  const { request, items } = material
  const points = chosen({ ...material, items: [...items].filter(({ text }) => text.length > 20) })
  const said = (points.length > 0 ? points : items).slice(0, 5)
  const whole = items.map(({ text }) => text).join(' ')
  const figures = [
    `${items.length} ${items.length === 1 ? 'point' : 'points'}`,
    ...[dateIn(whole), moneyIn(whole)].filter((one) => one !== undefined),
  ]
  const matter = frequent(items).join(', ')
  return [
    `**In short:** ${figures.join(', ')}; mostly about ${matter === '' ? 'the given text' : matter}.`,
    said.map((item) => `- ${line(item, request.ask)}`).join('\n'),
  ].join('\n\n')
}

export function writeChoice({
  material: { items },
  options,
}: {
  material: Material
  options: string[]
}): string {
  const given = items.map(({ text }) => `${text} ${toneOf(text)}`.toLowerCase())
  const votes = options.map((option) => given.filter((text) => text.includes(option.toLowerCase())).length)
  return `**${options[votes.indexOf(Math.max(...votes))] ?? options[0]}**`
}

function line({ label, text, finding }: MaterialItem, ask: string): string {
  const own = finding === undefined ? reworded(text, ask) : text
  const said = oneLine(own)
  return label === '' ? said : `**${label}**: ${said}`
}

function reworded(text: string, ask: string): string {
  if (TONE.test(ask)) {
    const instead = softened(text)
    const tone = toneOf(text)
    return instead === text
      ? `${text} (${tone})`
      : `“${oneLine(text, 120)}” (${tone}) → “${oneLine(instead, 120)}”`
  }
  return PLAIN.test(ask) ? plain(sentencesOf(text)[0] ?? text) : text
}

function frequent(items: readonly Item[]): string[] {
  const counts = new Map<string, number>()
  for (const { text } of items) {
    for (const word of keyWords(text.slice(0, 400))) {
      const lower = word.toLowerCase().replace(/(?<=.{4})s$/, '')
      if (lower.length > 3) counts.set(lower, (counts.get(lower) ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([word]) => word)
}
