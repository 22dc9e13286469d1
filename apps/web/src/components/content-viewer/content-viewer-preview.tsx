import { useMemo } from 'react'
import { cn } from '../../lib/utils.ts'
import { useReading } from '../reader/use-reading.ts'
import { PlainText } from './content-viewer-plain.tsx'
import { previewDocument } from './content-viewer-preview-document.ts'

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
