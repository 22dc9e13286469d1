import { MODEL_ALIASES, MODEL_LABELS, type ModelAlias } from '@catenary/contracts'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../../components/ui/select.tsx'
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
    <Select value={value} onValueChange={(model) => onChange(model as ModelAlias)}>
      <SelectTrigger aria-label="Model" className={className}>
        <SelectValue>{MODEL_LABELS[value]}</SelectValue>
      </SelectTrigger>
      <SelectContent className="max-w-72">
        {MODEL_ALIASES.map((alias) => (
          <SelectItem key={alias} value={alias} disabled={missing.has(alias)} textValue={MODEL_LABELS[alias]}>
            <span>{MODEL_LABELS[alias]}</span>
            {missing.has(alias) && (
              <span className="block text-xs text-text-2">No key: set {KEY_SETTINGS[alias]}</span>
            )}
          </SelectItem>
        ))}
        <p className="mx-1 mt-1 border-t border-line px-1 py-1.5 text-xs text-text-3">
          OpenAI access may be limited by quota; Claude is recommended.
        </p>
      </SelectContent>
    </Select>
  )
}
