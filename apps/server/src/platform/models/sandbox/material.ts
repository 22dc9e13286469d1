import { type Finding, findingsIn, isCode } from './code-findings.ts'
import { type Item, itemsOf } from './items.ts'
import type { SandboxRequest } from './request.ts'
import { headingFor, isTopic } from './topics.ts'
import { capitalized, countIn, keyPhrases } from './words.ts'

export type MaterialItem = Item & { finding?: Finding }

export interface Material {
  request: SandboxRequest
  items: MaterialItem[]
  isGiven: boolean
}

/** Labels of what an answer is for, by or like, not of what it is about. */
const ATTRIBUTES =
  /\b(?:audience|recipients?|readers?|product|company|voice|tone|sender|from|to|language|dialect|name|date)\b/i
const SHOWN = 8
const SIDES = [
  'what it is for',
  'who it is for',
  'what is known',
  'what is open',
  'what it takes',
  'what comes first',
  'what can go wrong',
  'how to tell that it worked',
  'who decides',
  'what comes after',
]

export function materialOf(request: SandboxRequest): Material {
  const blocks = request.blocks.filter(({ label, lines }) => lines.length > 1 || !ATTRIBUTES.test(label))
  const items = blocks.flatMap((block): MaterialItem[] => {
    if (!isCode(block.lines)) return itemsOf(block)
    return findingsIn(block.lines).map((finding) => ({
      label: `Line ${finding.line}`,
      text: `${finding.finding}: ${finding.suggestion}`,
      finding,
    }))
  })
  const isGiven = items.length > 0
  return { request, items: isGiven ? items : sidesOf(request), isGiven }
}

function sidesOf({ ask }: SandboxRequest): Item[] {
  const phrases = keyPhrases(ask)
  const matter = phrases.slice(0, 3)
  return SIDES.slice(0, Math.max(countIn(ask) ?? 5, 3)).map((side, index) => ({
    label: capitalized(matter[index % Math.max(matter.length, 1)] ?? 'The matter'),
    text: side,
  }))
}

export function chosen({ request: { ask }, items }: Material): MaterialItem[] {
  const limit = countIn(ask) ?? SHOWN
  const about = items.filter(({ text, finding }) => finding !== undefined || isTopic({ text, ask }))
  return (about.length > 0 ? about : items).slice(0, limit)
}

export function underHeadings({
  items,
  headings,
}: {
  items: readonly MaterialItem[]
  headings: readonly string[]
}) {
  const rest = headings.find((heading) => /\b(?:other|rest|misc|else)/i.test(heading))
  const placed = Map.groupBy(
    items,
    (item) => headingFor({ text: `${item.label}: ${item.text}`, headings }) ?? rest,
  )
  return headings.map((heading) => ({ heading, items: (placed.get(heading) ?? []).slice(0, SHOWN) }))
}
