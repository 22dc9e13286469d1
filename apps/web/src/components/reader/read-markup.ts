import { checkWords, DEPTH_MAX, EMPHASIS_MAX, PARTS_MAX, TEXT_MAX, TooMuchError } from './reader-bounds.ts'
import { ALLOWED_TAGS, BLOCKS, type KeptMarkup, type StrippedHtml, stripAttributes } from './strip-markup.ts'

const PART: KeptMarkup = { tags: ALLOWED_TAGS, renamed: new Map(BLOCKS.map((name) => [name, 'div'])) }
const SHEET = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi
const PAGE: KeptMarkup = {
  tags: [
    ...ALLOWED_TAGS,
    ...['p', 'br', 'hr', 'pre', 'code', 'blockquote', 'figure', 'figcaption', 'img', 'button', 'label'],
    ...['section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'address', 'dl', 'dt', 'dd'],
    ...['small', 'sub', 'sup', 's', 'u', 'mark', 'del', 'ins', 'q', 'kbd', 'time', 'col', 'colgroup'],
  ],
  renamed: new Map([['body', 'div']]),
}

/** Foreign HTML as what it may be, each tag closed where the one around it is, in bounds of number and depth. */
export function readMarkup({ source, isPage }: { source: string; isPage: boolean }): ReadMarkup {
  if (source.length > TEXT_MAX) throw new TooMuchError()
  const { html, attributes } = stripAttributes(source, isPage ? PAGE : PART)
  checkWords(html.replace(/<[^<>]*>/g, ' '))
  const rules = isPage ? [...source.matchAll(SHEET)].map(([, rules = '']) => rules) : []
  return { html: closeTags(html), attributes, rules, tags: (isPage ? PAGE : PART).tags }
}

export interface ReadMarkup extends StrippedHtml {
  rules: readonly string[]
  tags: readonly string[]
}

const TAG = /<(\/?)([a-z][a-z0-9]*)[^<>]*>/g
const EMPTY = new Set(['br', 'hr', 'img', 'col'])
/** A browser's parser reopens them in each block until they are closed. */
const EMPHASIS = new Set(['a', 'b', 'code', 'em', 'i', 's', 'small', 'strong', 'u'])
const CELLS = ['td', 'th']
const ROWS = [...CELLS, 'tr']
const GROUPS = [...ROWS, 'tbody', 'thead', 'tfoot', 'caption', 'colgroup']
const ENDED = new Map([
  ['li', ['li']],
  ['p', ['p']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['td', CELLS],
  ['th', CELLS],
  ['tr', ROWS],
  ['tbody', GROUPS],
  ['thead', GROUPS],
  ['tfoot', GROUPS],
])

function closeTags(html: string): string {
  const open: string[] = []
  let [parts, emphasis] = [0, 0]
  const close = (): string => {
    const name = open.pop() ?? ''
    if (EMPHASIS.has(name)) emphasis -= 1
    return `</${name}>`
  }
  const closed = html.replace(TAG, (tag, slash: string, name: string) => {
    if (slash !== '') {
      const at = open.lastIndexOf(name)
      return at === -1 ? '' : Array.from({ length: open.length - at }, close).join('')
    }
    const ended = ENDED.get(name) ?? []
    let before = ''
    while (ended.includes(open.at(-1) ?? '')) before += close()
    parts += 1
    if (!EMPTY.has(name)) open.push(name)
    if (EMPHASIS.has(name)) emphasis += 1
    if (parts > PARTS_MAX || open.length > DEPTH_MAX || emphasis > EMPHASIS_MAX) throw new TooMuchError()
    return before + tag
  })
  return closed + Array.from(open, close).join('')
}
