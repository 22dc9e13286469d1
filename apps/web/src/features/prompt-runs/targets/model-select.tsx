import type { ModelAlias } from '@catenary/contracts'
import { ChevronDownIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { cn } from '../../../lib/utils.ts'
import { useModelLabel, useModels } from '../../model-settings/models.ts'
import { ModelItemText } from './model-menu.tsx'

export interface ModelSelectProps {
  value: ModelAlias
  onChange: (model: ModelAlias) => void
  className?: string
}

export function ModelSelect({ value, onChange, className }: ModelSelectProps) {
  const models = useModels()
  const label = useModelLabel()(value)
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="secondary"
          aria-label={`Model: ${label}`}
          className={cn('w-full shrink justify-between px-2.5 font-normal', className)}
        >
          <span className="truncate">{label}</span>
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-(--radix-dropdown-menu-trigger-width) min-w-56">
        <DropdownMenuRadioGroup value={value} onValueChange={onChange}>
          {models.map(({ alias, label, configured, keyVariable }) => (
            <DropdownMenuRadioItem key={alias} value={alias} disabled={!configured} textValue={label}>
              <ModelItemText label={label} configured={configured} keyVariable={keyVariable} />
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuLabel className="font-normal">
          OpenAI access may be limited by quota; Claude is recommended.
        </DropdownMenuLabel>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
