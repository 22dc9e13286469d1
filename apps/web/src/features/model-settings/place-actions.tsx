import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import { RemoveButton } from '../../components/remove-button.tsx'
import { Button } from '../../components/ui/button.tsx'

export interface PlaceActionsProps {
  name: string
  index: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
}

export function PlaceActions({ name, index, count, onMove, onRemove }: PlaceActionsProps) {
  return (
    <div className="flex shrink-0">
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      >
        <ArrowUpIcon />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`Move ${name} down`}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDownIcon />
      </Button>
      <RemoveButton label={`Remove ${name}`} onClick={onRemove} />
    </div>
  )
}
