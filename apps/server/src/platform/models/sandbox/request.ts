export interface Block {
  label: string
  lines: string[]
}

export interface SandboxRequest {
  ask: string
  blocks: Block[]
}

/** Only the beginning and end of a longer text are read, where the request usually is. */
const BEGINNING = 16_000
const END = 8_000
const ASK_LENGTH = 4_000
const LINE_LENGTH = 2_000
const LONG_VALUE = 100

const OWN_LINES =
  /^(?:> |- )?(?:\[sandbox\]|Your request begins:|(?:- )?(?:Model asked for|Length of the request|System prompt):|For real answers,? set )/
const LABEL = /^(?:#{1,6} +)?(?:\*\*)?([\p{L}\p{N}][^:\n]{0,80})(?:\*\*)?:(?:\*\*)?$/u
const HEADING = /^#{1,6} +(\S.{0,80})$/
const FIELD = /^(?:[-*] )?(?:\*\*)?(\p{Lu}[^:*\n]{1,40}?)(?:\*\*)?:(?:\*\*)? +(\S.*)$/u
const TAG = /^<([a-z][\w-]{0,40})>$/i
const TAGGED = /^<([a-z][\w-]{0,40})>(.*)<\/\1>$/i
const RULE = /^(?:-{3,}|={3,}|\*{3,})$/
export const LIST_ITEM = /^\s*(?:[-*•]|\d{1,3}[.)])\s+\S/
/** Labels under which it says what to do, not what to work on. */
const INSTRUCTS =
  /\b(?:task|rules?|format|requirements?|instructions?|preferences|standards|constraints|columns?|sections?|headings?|guidelines?|style|output|answer|reply|return|respond|error handling|feedback|steps?|goal|role|form|length|language)\b/i
const IMPERATIVE =
  /^(?:please )?(?:add a|answer|at most|avoid|be|begin|compare|count|do|don['’]t|draft|end|explain|find|for each|give|group|include|keep|list|make|mark|mention|name|never|no|now|only|put|rank|rate|reply|respond|return|review|rewrite|say|show|sort|start|stay|suggest|summari[sz]e|tell|turn|use|write|you are)\b/i

/** Parts a prompt; bounded, and each line is looked at once. */
export function readRequest(text: string): SandboxRequest {
  const ask: string[] = []
  const blocks: Block[] = []
  let current: Block | undefined
  let endsAt: ((line: string) => boolean) | undefined
  let isInstructing = false
  let label = ''
  let afterBlank = false

  const open = (block: Block) => {
    blocks.push(block)
    current = block
  }
  const openUntil = (isEnd: (line: string) => boolean, own = label) => {
    open({ label: own, lines: [] })
    endsAt = isEnd
  }
  const say = (line: string) => {
    ask.push(line)
    current = undefined
  }

  for (const whole of bounded(text).split(/\r?\n/)) {
    const line = whole.slice(0, LINE_LENGTH).trimEnd()
    const trimmed = line.trim()
    const wasBlank = afterBlank
    afterBlank = trimmed === ''
    if (endsAt !== undefined) {
      if (endsAt(trimmed)) [endsAt, current] = [undefined, undefined]
      else current?.lines.push(line)
      continue
    }
    if (OWN_LINES.test(trimmed)) continue
    if (trimmed === '') {
      current?.lines.push('')
      ask.push('')
      continue
    }
    const fence = /^(`{3,}|~{3,}|"{3}|'{3})/.exec(trimmed)?.[1]
    if (fence !== undefined) openUntil((end) => end.startsWith(fence))
    else if (RULE.test(trimmed)) openUntil((end) => RULE.test(end))
    else if (TAGGED.test(trimmed)) {
      const [, tag = '', inner = ''] = TAGGED.exec(trimmed) ?? []
      blocks.push({ label: tag, lines: [inner] })
      current = undefined
    } else if (TAG.test(trimmed)) {
      const tag = trimmed.slice(1, -1)
      openUntil((end) => end.toLowerCase() === `</${tag.toLowerCase()}>`, tag)
    } else if (isLabel(trimmed)) {
      label = (LABEL.exec(trimmed) ?? HEADING.exec(trimmed))?.[1] ?? ''
      isInstructing = INSTRUCTS.test(label)
      if (isInstructing || label.split(' ').length > 2) ask.push(trimmed)
      if (isInstructing) current = undefined
      else open({ label, lines: [] })
    } else if (current !== undefined && !(wasBlank && !LIST_ITEM.test(line) && IMPERATIVE.test(trimmed))) {
      current.lines.push(line)
    } else if (FIELD.test(trimmed) && !isInstructing) {
      const [, name = '', value = ''] = FIELD.exec(trimmed) ?? []
      const isAsk = INSTRUCTS.test(name) || IMPERATIVE.test(name)
      if (isAsk || name.split(' ').length > 2) ask.push(isAsk ? trimmed : name)
      if (!isAsk) {
        blocks.push({ label: name, lines: [value] })
        current = value.length >= LONG_VALUE ? blocks.at(-1) : undefined
      }
    } else if (LIST_ITEM.test(line) && !isInstructing && !IMPERATIVE.test(trimmed.replace(/^\S+\s+/, ''))) {
      open({ label: '', lines: [line] })
    } else say(trimmed)
  }
  return withLongParagraphs({ ask: ask.join('\n').trim(), blocks })
}

function isLabel(line: string): boolean {
  return LABEL.test(line) || HEADING.test(line)
}

/** Where nothing is marked as given, what follows the first paragraph or sentence at length is. */
function withLongParagraphs({ ask, blocks }: SandboxRequest): SandboxRequest {
  const isGiven = blocks.some(({ lines }) => lines.join(' ').length >= LONG_VALUE)
  if (isGiven) return { ask: clipped(ask), blocks }
  const [first = '', ...others] = ask.split(/\n{2,}/)
  const given = others.filter((paragraph) => paragraph.length >= 80 && !IMPERATIVE.test(paragraph))
  if (given.length === 0) return { ask: clipped(ask), blocks }
  const said = [first, ...others.filter((paragraph) => !given.includes(paragraph))].join('\n\n')
  return {
    ask: clipped(said),
    blocks: [...blocks, { label: '', lines: given.flatMap((one) => one.split('\n')) }],
  }
}

function bounded(text: string): string {
  return text.length <= BEGINNING + END ? text : `${text.slice(0, BEGINNING)}\n${text.slice(-END)}`
}

function clipped(ask: string): string {
  return ask.length <= ASK_LENGTH ? ask : `${ask.slice(0, ASK_LENGTH / 2)}\n${ask.slice(-ASK_LENGTH / 2)}`
}
