import createPurifier from 'dompurify'
import { cspNonce } from '../../lib/utils.ts'
import type { ReadMarkup } from '../reader/read-markup.ts'
import { decodeEntities } from './content-viewer-sanitize.ts'

const ATTRIBUTES = ['class', 'id', 'alt', 'title', 'lang', 'dir', 'width', 'height', 'colspan', 'rowspan']
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,/i
/** Paper is white in every theme. */
const PAPER =
  ':root{color-scheme:light;background:#fff;color:#1b2125}body{margin:16px;font:15px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}'

/** For a frame without rights: its looks, and nothing that runs, fetches or leads away. */
export function previewDocument({ html, attributes, rules: sheets, tags }: ReadMarkup): string {
  const box = document.createElement('div')
  box.append(
    createPurifier(window).sanitize(html, {
      ALLOWED_TAGS: [...tags],
      ALLOWED_ATTR: ['data-tag'],
      RETURN_DOM_FRAGMENT: true,
    }),
  )
  const rules = [...sheets]
  for (const element of box.querySelectorAll<HTMLElement>('[data-tag]')) {
    const number = element.dataset.tag ?? ''
    const written = attributes[Number(number)]
    for (const name of ATTRIBUTES) setAttribute({ element, name, value: decoded(written, name) })
    const picture = decoded(written, 'src') ?? ''
    if (element.tagName === 'IMG' && PICTURE.test(picture)) element.setAttribute('src', picture)
    // The policy of the page reaches into the frame and takes no style attributes.
    const style = decoded(written, 'style')
    if (style) rules.push(`:is(#a#a,[data-tag="${number}"]){${style}}`)
  }
  return `<!doctype html><html><head>${policyAndSheet(rules)}</head><body>${box.innerHTML}</body></html>`
}

function decoded(written: ReadonlyMap<string, string> | undefined, name: string): string | undefined {
  const value = written?.get(name)
  return value === undefined ? undefined : decodeEntities(value)
}

function setAttribute({
  element,
  name,
  value,
}: {
  element: Element
  name: string
  value?: string | undefined
}) {
  if (value !== undefined) element.setAttribute(name, value)
}

/** First of all that nothing is fetched, then the looks. */
function policyAndSheet(rules: readonly string[]): string {
  const nonce = cspNonce() ?? ''
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`
  const sheet = [PAPER, ...rules].join('\n').replaceAll('<', '\\3c ')
  return `<meta http-equiv="Content-Security-Policy" content="${policy}"><style nonce="${nonce}">${sheet}</style>`
}
