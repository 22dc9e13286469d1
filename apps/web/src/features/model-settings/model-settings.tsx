import { EFFORTS, lacksOf } from '@catenary/contracts'
import { useId } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { Field } from '../../components/ui/field.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { readyNumberOf } from '../../lib/text/number-of.ts'
import { useModels } from './models.ts'
import { EFFORT_LABELS } from './settings-text.ts'
import type { SettingsForm } from './settings-value.ts'

/** A select needs a value. */
const DEFAULT = 'default'
const NARROW = 'pointer-coarse:px-2.5'

interface SettingProps {
  form: SettingsForm
  /** What it can't do is said beside the field; null: none is chosen. */
  model: string | null
}

export function useLacks({ form, model }: SettingProps): ReturnType<typeof lacksOf> {
  const chosen = useModels().find(({ alias }) => alias === model)
  const [effort, temperature, stop] = useWatch({
    control: form.control,
    name: ['effort', 'temperature', 'stop'],
  })
  if (!chosen) return {}
  const { label, modelId = '', capabilities } = chosen
  return lacksOf(
    { label, modelId, capabilities },
    { effort: effort ?? undefined, temperature: readyNumberOf(temperature), stop },
  )
}

export function EffortField({ form, model }: SettingProps) {
  const id = useId()
  const { effort: lack } = useLacks({ form, model })
  return (
    <div className="grid gap-1.5">
      <span aria-hidden="true" className="text-xs font-medium text-text-2">
        Effort
      </span>
      <Controller
        control={form.control}
        name="effort"
        render={({ field: { value, onChange } }) => (
          <SegmentedControl
            aria-label="Effort"
            aria-describedby={lack && id}
            value={value ?? DEFAULT}
            onValueChange={(next) => onChange(next === DEFAULT ? null : next)}
            className="max-w-full flex-wrap justify-self-start"
          >
            <SegmentedControlItem value={DEFAULT} className={NARROW}>
              Model’s default
            </SegmentedControlItem>
            {EFFORTS.map((effort) => (
              <SegmentedControlItem key={effort} value={effort} className={NARROW}>
                {EFFORT_LABELS[effort]}
              </SegmentedControlItem>
            ))}
          </SegmentedControl>
        )}
      />
      {lack && (
        <p id={id} className="text-xs text-warn wrap-anywhere">
          {lack}
        </p>
      )}
    </div>
  )
}

/** How far the answer may leave what is likely, from 0 to 2. */
export function TemperatureField({ form, model }: SettingProps) {
  const { temperature: lack } = useLacks({ form, model })
  return (
    <Field
      label="Temperature"
      hint={lack ? <span className="text-warn">{lack}</span> : '0 to 2'}
      error={form.formState.errors.temperature?.message}
    >
      <NumberInput placeholder="the model’s default" {...form.register('temperature')} />
    </Field>
  )
}

export function MaxTokensField({ form, label }: { form: SettingsForm; label: string }) {
  return (
    <Field label={label} hint="of the answer" error={form.formState.errors.maxTokens?.message}>
      <NumberInput isWhole placeholder="the model’s default" {...form.register('maxTokens')} />
    </Field>
  )
}
