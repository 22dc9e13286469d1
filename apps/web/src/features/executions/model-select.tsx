import { MODEL_ALIASES, MODEL_LABELS, type ModelAlias } from '@catenary/contracts'
import { ChevronDownIcon } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { cn } from '../../lib/utils.ts'
import { KEY_SETTINGS, useMissingModels } from './models.ts'

export interface ModelSelectProps {
  value: ModelAlias
  onChange: (model: ModelAlias) => void
  className?: string
}

/** Which model runs the prompt; one without a key says which setting brings it. */
export function ModelSelect({ value, onChange, className }: ModelSelectProps) {
  const missing = useMissingModels()
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="secondary"
          aria-label={`Model: ${MODEL_LABELS[value]}`}
          className={cn('w-full shrink justify-between px-2.5 font-normal', className)}
        >
          <span className="truncate">{MODEL_LABELS[value]}</span>
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-(--radix-dropdown-menu-trigger-width) min-w-56">
        <DropdownMenuRadioGroup value={value} onValueChange={(model) => onChange(model as ModelAlias)}>
          {MODEL_ALIASES.map((alias) => (
            <DropdownMenuRadioItem
              key={alias}
              value={alias}
              disabled={missing.has(alias)}
              textValue={MODEL_LABELS[alias]}
            >
              <span>
                {MODEL_LABELS[alias]}
                {missing.has(alias) && (
                  <span className="block text-xs text-text-2">No key: set {KEY_SETTINGS[alias]}</span>
                )}
              </span>
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
