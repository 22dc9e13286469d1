import { useId } from 'react'
import { SwitchField } from '../../../components/forms/switch-field.tsx'

const FIRST_THRESHOLD = 0.6

export interface ThresholdFieldProps {
  value: number | null
  onChange: (value: number | null) => void
}

export function ThresholdField({ value, onChange }: ThresholdFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <SwitchField
        label="Ask when unsure"
        hint="Below a confidence nothing runs: the answer is a question that names up to three chains."
        checked={value !== null}
        onChange={(isOn) => onChange(isOn ? FIRST_THRESHOLD : null)}
      />
      {value !== null && (
        <div className="ml-[38px] flex items-center gap-3">
          <label htmlFor={id} className="text-xs text-text-2">
            Below
          </label>
          <input
            id={id}
            type="range"
            min={0.05}
            max={1}
            step={0.05}
            value={value}
            onChange={({ target }) => onChange(target.valueAsNumber)}
            className="min-w-0 flex-1 accent-accent pointer-coarse:h-11"
          />
          <output htmlFor={id} className="w-9 text-right text-sm tabular-nums">
            {value.toFixed(2)}
          </output>
        </div>
      )}
    </div>
  )
}
