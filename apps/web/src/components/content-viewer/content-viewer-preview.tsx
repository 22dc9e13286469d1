import { useMemo } from 'react'
import { cn } from '../../lib/utils.ts'
import { previewDocument } from './content-viewer-preview-document.ts'

export interface PreviewViewProps {
  html: string
  title: string
  isExpanded: boolean
}

/** A page that a model wrote as it would look, in a frame that may do nothing. */
export default function PreviewView({ html, title, isExpanded }: PreviewViewProps) {
  const page = useMemo(() => previewDocument(html), [html])
  return (
    <iframe
      title={`Preview: ${title}`}
      sandbox=""
      srcDoc={page}
      referrerPolicy="no-referrer"
      className={cn('block w-full', isExpanded ? 'h-[75dvh]' : 'h-[400px]')}
    />
  )
}
