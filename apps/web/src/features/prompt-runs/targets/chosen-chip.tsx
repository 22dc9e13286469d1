import { XIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'

export interface ChosenChipProps {
  label: string
  onRemove: (() => void) | undefined
}

export function ChosenChip({ label, onRemove }: ChosenChipProps) {
  return (
    <span className="flex h-7 max-w-full items-center rounded-control border border-line bg-surface pl-1.5 text-sm pointer-coarse:h-11">
      <span className="truncate">{label}</span>
      {onRemove ? (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Leave out ${label}`}
          onClick={onRemove}
          className="h-full w-6 text-text-3 [&_svg:not([class*=size-])]:size-3.5"
        >
          <XIcon />
        </Button>
      ) : (
        <span className="w-1.5" />
      )}
    </span>
  )
}
