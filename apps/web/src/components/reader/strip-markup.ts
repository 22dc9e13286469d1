/** Foreign HTML of which only known tags are left; what stood in them lies beside, to be judged apart. */
export interface StrippedHtml {
  /** Each tag carries nothing but its number, as `data-tag`. */
  html: string
  attributes: readonly ReadonlyMap<string, string>[]
}

const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['href', 'src', 'class', 'id', 'style', 'alt', 'title', 'lang', 'dir'],
  ...['width', 'height', 'colspan', 'rowspan'],
])

export const ALLOWED_TAGS: readonly string[] = [
  'a',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'span',
  'div',
  'em',
  'strong',
  'b',
  'i',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
]
/** Blocks that become divs, so that their text keeps its place. */
export const BLOCKS = ['p', 'section', 'article', 'header', 'footer', 'main', 'blockquote', 'pre']

/** Marks what was a line break or a paragraph; no attribute can be called so. */
export const LINE = '=line'

const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea|template|noscript|iframe|svg|math|select)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])((?:"[^"]*"|'[^']*'|[^"'<>])*)>|<[!?/][^<>]*>|</gi
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

export interface KeptMarkup {
  tags: readonly string[]
  renamed: ReadonlyMap<string, string>
}

/** Takes the attributes out before a parser sees them: one that handles events or styles would break the page's policy by being read. */
export function stripAttributes(source: string, { tags, renamed }: KeptMarkup): StrippedHtml {
  const attributes: ReadonlyMap<string, string>[] = []
  const number = (written: ReadonlyMap<string, string>) => attributes.push(written) - 1
  const html = source.replace(MARKUP, (markup, _dropped, slash, name: string | undefined, written) => {
    if (markup === '<') return '&lt;'
    const tag = name?.toLowerCase() ?? ''
    if (tag === 'br' && !tags.includes(tag))
      return `<span data-tag="${number(new Map([[LINE, 'break']]))}"></span>`
    const kept = renamed.get(tag) ?? tag
    if (!tags.includes(kept)) return ''
    if (slash) return `</${kept}>`
    const found = readAttributes(written)
    if (tag === 'p') found.set(LINE, 'paragraph')
    return `<${kept} data-tag="${number(found)}">`
  })
  return { html, attributes }
}

function readAttributes(written: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, bare] of written.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (KEPT_ATTRIBUTES.has(key) && !found.has(key)) found.set(key, double ?? single ?? bare ?? '')
  }
  return found
}
