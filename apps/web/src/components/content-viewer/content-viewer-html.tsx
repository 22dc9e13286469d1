import { useLayoutEffect, useMemo, useRef } from 'react'
import type { ReadMarkup } from '../reader/read-markup.ts'
import { useReading } from '../reader/use-reading.ts'
import { PlainText, WaitingText } from './content-viewer-plain.tsx'
import { sanitizeHtml } from './content-viewer-sanitize.ts'

/** Only text, its structure and harmless styles are left of it. */
export default function HtmlView({ html }: { html: string }) {
  const input = useMemo(() => ({ source: html, isPage: false }), [html])
  const reading = useReading({ task: 'markup', input, text: html })
  if (!reading) return <WaitingText text={html} />
  if (reading.kind === 'refused') return <PlainText text={html} />
  return <Markup read={reading.result} />
}

function Markup({ read }: { read: ReadMarkup }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    element.current?.replaceChildren(sanitizeHtml(read))
  }, [read])
  return <div ref={element} className="rich-text isolate overflow-auto contain-paint" />
}
