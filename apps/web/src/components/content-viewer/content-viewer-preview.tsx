import createPurifier from 'dompurify'
import { useMemo } from 'react'
import { cn, cspNonce } from '../../lib/utils.ts'
import type { ReadMarkup } from '../reader/read-markup.ts'
import { useReading } from '../reader/use-reading.ts'
import { PlainText } from './content-viewer-plain.tsx'
import { decodeEntities } from './content-viewer-sanitize.ts'

export interface PreviewViewProps {
  html: string
  title: string
  isExpanded: boolean
}

export default function PreviewView({ html, title, isExpanded }: PreviewViewProps) {
  const input = useMemo(() => ({ source: html, isPage: true }), [html])
  const reading = useReading({ task: 'markup', input, text: html })
  const read = reading?.kind === 'read' ? reading.result : null
  const page = useMemo(() => read && previewDocument(read), [read])
  if (reading?.kind === 'refused') return <PlainText text={html} />
  const height = isExpanded ? 'h-[75dvh]' : 'h-[400px]'
  // In Chromium, a frame that is empty at first, below the fold of a phone, stays blank once it has its page.
  if (page === null) return <div className={height} />
  return (
    <iframe
      title={`Preview: ${title}`}
      sandbox=""
      srcDoc={page}
      referrerPolicy="no-referrer"
      className={cn('block w-full', height)}
    />
  )
}

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
