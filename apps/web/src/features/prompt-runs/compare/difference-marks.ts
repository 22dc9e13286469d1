import { read } from '../../../components/reader/reader.ts'
import type { Span } from '../../../components/reader/word-differences.ts'

const NAME = 'differs'
/** How often what is being written is compared with the first answer. */
const MARK_MS = 250
/** Words of two of them don't run into each other. */
const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, td, th, pre, blockquote, div, summary, dt, dd'

interface ShownText {
  text: string
  nodes: { node: Text; start: number }[]
}

function readText(element: Element): ShownText {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: ShownText['nodes'] = []
  let text = ''
  let block: Element | null = null
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.parentElement?.closest('button')) continue
    const own = node.parentElement?.closest(BLOCKS) ?? null
    if (own !== block && text !== '') text += '\n'
    block = own
    nodes.push({ node, start: text.length })
    text += node.data
  }
  return { text, nodes }
}

function rangesOf({ nodes }: ShownText, spans: readonly Span[]): StaticRange[] {
  const ranges: StaticRange[] = []
  let first = 0
  for (const { from, to } of spans) {
    while (first < nodes.length && endOf(nodes[first]) <= from) first += 1
    for (let index = first; index < nodes.length; index += 1) {
      const { node, start } = nodes[index] ?? { node: new Text(), start: to }
      if (start >= to) break
      const [startOffset, endOffset] = [Math.max(0, from - start), Math.min(node.length, to - start)]
      if (node.data.slice(startOffset, endOffset).trim() === '') continue
      ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }))
    }
  }
  return ranges
}

const endOf = (piece: { node: Text; start: number } | undefined) =>
  piece === undefined ? 0 : piece.start + piece.node.length

/** Two that differ in too much have nothing tinted. */
async function differences({ signal, ...input }: { text: string; other: string; signal: AbortSignal }) {
  const reading = await read({ task: 'words', input, signal })
  return reading.kind === 'read' ? reading.result : []
}

interface Marked {
  text: string
  other: string
  spans: readonly Span[]
  ranges: readonly StaticRange[]
}

export const canMark = () => typeof CSS !== 'undefined' && 'highlights' in CSS

/**
 * Highlights in each `[data-answer]` of an element what differs from its `[data-baseline]`, also while they are being
 * written. Waits for a baseline that is still being written.
 */
export function markDifferences(root: Element): () => void {
  const highlight = CSS.highlights.get(NAME) ?? new Highlight()
  CSS.highlights.set(NAME, highlight)
  const marked = new Map<Element, Marked>()
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isMarking = false
  let isStale = false

  const replace = (element: Element, next: Marked | null) => {
    for (const range of marked.get(element)?.ranges ?? []) highlight.delete(range)
    marked.delete(element)
    if (next === null) return
    for (const range of next.ranges) highlight.add(range)
    marked.set(element, next)
  }
  const mark = async () => {
    const baseline = root.querySelector('[data-baseline] [data-answer=ended]')
    const others = [...root.querySelectorAll('[data-answer]')].filter((element) => element !== baseline)
    for (const element of marked.keys()) if (!baseline || !others.includes(element)) replace(element, null)
    if (!baseline) return
    const { text: other } = readText(baseline)
    for (const element of others) {
      const shown = readText(element)
      const { text } = shown
      const known = marked.get(element)
      const isKnown = known?.text === text && known.other === other
      const spans = isKnown ? known.spans : await differences({ text, other, signal: ended.signal })
      if (ended.signal.aborted) return
      replace(element, { text, other, spans, ranges: rangesOf(shown, spans) })
      // The page goes on between one long answer and the next.
      await new Promise((resolve) => setTimeout(resolve))
      if (ended.signal.aborted) return
    }
  }
  const markSoon = () => {
    isStale = true
    if (isMarking) return
    timer ??= setTimeout(async () => {
      timer = undefined
      isStale = false
      isMarking = true
      await mark()
      isMarking = false
      if (isStale && !ended.signal.aborted) markSoon()
    }, MARK_MS)
  }
  const observer = new MutationObserver((changes) => {
    const isOfAnswer = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[data-answer]') !== null
    if (changes.some((change) => change.target === root || isOfAnswer(change))) markSoon()
  })
  const what = {
    childList: true,
    characterData: true,
    subtree: true,
    attributeFilter: ['data-answer', 'data-baseline'],
  }
  observer.observe(root, what)
  markSoon()
  return () => {
    ended.abort()
    observer.disconnect()
    clearTimeout(timer)
    for (const element of [...marked.keys()]) replace(element, null)
  }
}
