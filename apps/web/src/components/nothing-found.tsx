import { SearchXIcon } from 'lucide-react'
import { EmptyState } from './empty-state.tsx'
import { Button } from './ui/button.tsx'

export interface NothingFoundProps {
  title: string
  description: string
  onClear: () => void
}

export function NothingFound({ title, description, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={<SearchXIcon />}
      title={title}
      about="finding"
      description={description}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  )
}
