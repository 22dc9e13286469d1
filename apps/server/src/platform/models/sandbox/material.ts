import { type Finding, findingsIn, isCode } from './code-findings.ts'
import { type Item, itemsOf } from './items.ts'
import type { SandboxRequest } from './request.ts'
import { headingFor, isTopic } from './topics.ts'
import { capitalized, countIn, keyPhrases } from './words.ts'

/** A finding in code is an item too. */
export type MaterialItem = Item & { finding?: Finding }

/** What an answer is made of. */
export interface Material {
  request: SandboxRequest
  items: MaterialItem[]
  /** Something was given; otherwise the items are sides of what is asked. */
  isGiven: boolean
}

/** Labels of what an answer is for, by or like, not of what it is about. */
const ATTRIBUTES =
  /\b(?:audience|recipients?|readers?|product|company|voice|tone|sender|from|to|language|dialect|name|date)\b/i
/** How many items an answer has, unless the request says otherwise. */
const SHOWN = 8
/** What can be said about a matter of which nothing is given. */
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

/** What was given, item by item; code by its findings; where nothing was given, sides of what the ask names. */
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

/** The items that the request asks for, as many as it says, in order. */
export function chosen({ request: { ask }, items }: Material): MaterialItem[] {
  const limit = countIn(ask) ?? SHOWN
  const about = items.filter(({ text, finding }) => finding !== undefined || isTopic({ text, ask }))
  return (about.length > 0 ? about : items).slice(0, limit)
}

/** The items under each heading; what fits none goes under the one that says 'other'. */
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
