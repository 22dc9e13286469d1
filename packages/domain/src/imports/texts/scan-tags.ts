export interface Tag {
  kind: 'value' | 'block' | 'comment' | 'open'
  start: number
  end: number
  inner: string
}

const TAG_MAX = 5_000
const BLOCK_MAX = 500
const CLOSING = { '{%': '%}', '{#': '#}' } as const

/** `{{value}}`, `{{{value}}}`, `{% block %}` and `{# comment #}` in their order. Linear: what is read anew is bounded. */
export function* scanTags(text: string): Generator<Tag> {
  const opener = /\{[{%#]/g
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const tag =
      match[0] === '{{'
        ? scanValue(text, match.index)
        : scanBlock(text, match.index, match[0] as keyof typeof CLOSING)
    if (tag !== undefined) yield tag
    opener.lastIndex = tag?.end ?? match.index + 2
  }
}

function scanBlock(text: string, start: number, mark: keyof typeof CLOSING): Tag | undefined {
  const length = text.slice(start + 2, start + BLOCK_MAX).indexOf(CLOSING[mark])
  if (length === -1) return undefined
  const inner = text.slice(start + 2, start + 2 + length).trim()
  return { kind: mark === '{%' ? 'block' : 'comment', start, end: start + length + 4, inner }
}

/** Of a run of braces the last two or three are the tag's, as many as close it. */
function scanValue(text: string, first: number): Tag {
  let from = first
  while (text[from] === '{') from += 1
  const close = findClose(text, from)
  if (close === undefined) return { kind: 'open', start: first, end: from, inner: '' }
  const isTriple = from - first >= 3 && text[close + 2] === '}'
  const braces = isTriple ? 3 : 2
  const inner = text.slice(from, close).trim()
  return { kind: 'value', start: from - braces, end: close + braces, inner }
}

function findClose(text: string, from: number): number | undefined {
  let depth = 0
  const last = Math.min(text.length, from + TAG_MAX)
  for (let at = from; at < last; at += 1) {
    const character = text[at]
    if (character === '{') {
      if (text[at + 1] === '{') return undefined
      depth += 1
    } else if (character === '}') {
      if (depth > 0) depth -= 1
      else return text[at + 1] === '}' ? at : undefined
    }
  }
  return undefined
}
