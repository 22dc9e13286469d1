import { useLayoutEffect, useMemo, useRef } from 'react'
import { useReading } from '../reader/use-reading.ts'
import { sanitizeHighlight } from './content-viewer-sanitize.ts'

export default function Highlighted({ code, language }: { code: string; language: string | null }) {
  const element = useRef<HTMLElement>(null)
  const input = useMemo(() => ({ code, language }), [code, language])
  const reading = useReading({ task: 'colours', input, text: code })
  const html = reading?.kind === 'read' ? reading.result : null
  useLayoutEffect(() => {
    element.current?.replaceChildren(html === null ? code : sanitizeHighlight(html))
  }, [code, html])
  return <code ref={element} />
}
