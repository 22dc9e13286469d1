import { CircleAlertIcon } from 'lucide-react'
import { ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { Banner } from '../../components/ui/banner.tsx'

export interface VariableContentProps {
  title: string
  content: string | undefined
  placeholder: string
  problem?: string | null
  view?: 'rendered' | 'source'
}

export function VariableContent({
  title,
  content,
  placeholder,
  problem = null,
  view = 'rendered',
}: VariableContentProps) {
  if (problem === null && content !== undefined)
    return <ContentViewer title={title} content={content} view={view} />
  if (problem !== null)
    return (
      <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
        {`Error loading content: ${problem}`}
      </Banner>
    )
  return (
    <p className="rounded-card border border-line bg-inset px-4 py-3 text-sm wrap-anywhere text-text-3">
      {placeholder}
    </p>
  )
}
