import { useLayoutEffect, useRef } from 'react'
import { sanitizeHtml } from './content-viewer-sanitize.ts'

/** Foreign HTML, with nothing left in it but text, its structure and harmless styles. */
export default function HtmlView({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    element.current?.replaceChildren(sanitizeHtml(html))
  }, [html])
  return <div ref={element} className="rich-text isolate overflow-auto contain-paint" />
}
