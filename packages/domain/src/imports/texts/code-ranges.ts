export interface Range {
  start: number
  end: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

export function findCode(text: string): Range[] {
  const found: Range[] = []
  let fence: { mark: string; start: number } | undefined
  let paragraph = 0
  const endParagraph = (end: number) => {
    found.push(...findSpans(text, { start: paragraph, end }))
  }
  for (const { start, end, line } of linesOf(text)) {
    const [, mark, rest = ''] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark) !== true || rest.trim() !== '') continue
      found.push({ start: fence.start, end })
      fence = undefined
      paragraph = end
    } else if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      endParagraph(start)
      fence = { mark, start }
    } else if (line.trim() === '') {
      endParagraph(start)
      paragraph = end
    }
  }
  if (fence === undefined) endParagraph(text.length)
  else found.push({ start: fence.start, end: text.length })
  return found
}

function* linesOf(text: string): Generator<Range & { line: string }> {
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next + 1
    yield { start, end, line: text.slice(start, next === -1 ? end : next).replace(/\r$/, '') }
    start = end
  }
}

/** From a run of backticks to the next of the same length, within a paragraph. */
function findSpans(text: string, { start, end }: Range): Range[] {
  const runs: Range[] = []
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const from = at
    while (at < end && text[at] === '`') at += 1
    if (text[from - 1] !== '\\') runs.push({ start: from, end: at })
  }
  const lengthOf = (run: Range) => run.end - run.start
  const nextOf = new Map<Range, number>()
  const latest = new Map<number, number>()
  for (const [index, run] of [...runs.entries()].reverse()) {
    const next = latest.get(lengthOf(run))
    if (next !== undefined) nextOf.set(run, next)
    latest.set(lengthOf(run), index)
  }
  const spans: Range[] = []
  for (let index = 0; index < runs.length; ) {
    const run = runs[index]
    const next = run && nextOf.get(run)
    const close = next === undefined ? undefined : runs[next]
    if (run !== undefined && close !== undefined) spans.push({ start: run.start, end: close.end })
    index = (next ?? index) + 1
  }
  return spans
}

export function createWithin(ranges: readonly Range[]): (place: number) => boolean {
  let index = 0
  return (place) => {
    while ((ranges[index]?.end ?? Number.POSITIVE_INFINITY) <= place) index += 1
    return (ranges[index]?.start ?? Number.POSITIVE_INFINITY) <= place
  }
}
