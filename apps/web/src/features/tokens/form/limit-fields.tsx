import { ChevronRightIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import { FormSwitch } from '../../../components/forms/form-switch.tsx'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { describeLimits } from '../token-texts.ts'
import { ExpiryField } from './expiry-field.tsx'
import type { TokenFieldsProps } from './token-form.ts'
import { runsAsModel } from './token-form.ts'

/** What is rarely needed, folded under a line that says what is set. */
export function LimitFields({ form: { control, register, formState }, values }: TokenFieldsProps) {
  const { errors } = formState
  const [isOpened, setIsOpened] = useState(false)
  const { requestsPerMinute, callsAtOnce, monthlyBudgetUsd, expiresAt } = errors
  const runsChains = runsAsModel(values.kind)
  const isOpen =
    isOpened || Boolean(requestsPerMinute || callsAtOnce || monthlyBudgetUsd || expiresAt || errors.labels)
  return (
    <Collapsible
      open={isOpen}
      onOpenChange={setIsOpened}
      className="grid gap-4 border-t border-line pt-3 -mb-1"
    >
      <CollapsibleTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="-mx-1.5 h-auto min-h-7 justify-start gap-1.5 px-1.5 py-1 text-left whitespace-normal"
        >
          <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
          <span className="shrink-0">{runsChains ? 'Limits and behaviour' : 'Limits'}</span>
          <span className="ml-auto pl-3 text-right text-xs font-normal text-text-3">
            {describeLimits({ limits: values, timeZone: useTimeZone() })}
          </span>
        </Button>
      </CollapsibleTrigger>
      {/* Kept in the form while closed, so that the first refused field can be found. */}
      <CollapsibleContent forceMount className="grid gap-5 data-[state=closed]:hidden">
        <Controller
          control={control}
          name="expiresAt"
          render={({ field: { value, onChange } }) => (
            <ExpiryField value={value} onChange={onChange} error={expiresAt?.message} />
          )}
        />
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Field label="Requests a minute" error={requestsPerMinute?.message}>
            <NumberInput isWhole placeholder="no limit" {...register('requestsPerMinute')} />
          </Field>
          <Field label="Calls at once" error={callsAtOnce?.message}>
            <NumberInput isWhole placeholder="no limit" {...register('callsAtOnce')} />
          </Field>
          <Field label="US dollars a month" error={monthlyBudgetUsd?.message}>
            <NumberInput placeholder="no limit" {...register('monthlyBudgetUsd')} />
          </Field>
        </div>
        <div className="grid gap-3.5">
          {values.kind === 'best' && (
            <Controller
              control={control}
              name="threshold"
              render={({ field: { value, onChange } }) => (
                <ThresholdField value={value} onChange={onChange} />
              )}
            />
          )}
          {values.kind === 'mcp' && (
            <Controller
              control={control}
              name="labels"
              render={({ field: { value, onChange, onBlur } }) => (
                <LabelsField
                  value={value}
                  onChange={onChange}
                  onBlur={onBlur}
                  error={errors.labels?.message ?? errors.labels?.find?.(Boolean)?.message}
                />
              )}
            />
          )}
          {runsChains && (
            <>
              <FormSwitch
                control={control}
                name="answersHelperJobs"
                label="Answer background jobs of chat front ends"
                hint="Their titles, tags, follow-ups and search queries are answered without running a chain, at no cost."
              />
              <FormSwitch
                control={control}
                name="showsProgress"
                label="Show progress"
                hint="While a stream waits, the names of the earlier steps are sent as the model’s thinking."
              />
            </>
          )}
        </div>
      </CollapsibleContent>
    </Collapsible>
  )
}

const FIRST_THRESHOLD = 0.6

interface ThresholdFieldProps {
  value: number | null
  onChange: (value: number | null) => void
}

function ThresholdField({ value, onChange }: ThresholdFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <SwitchField
        label="Ask when unsure"
        hint="Below a set confidence no chain runs. The answer asks which of up to three chains is meant."
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
            className="h-6 min-w-0 flex-1 accent-accent pointer-coarse:h-11"
          />
          <output htmlFor={id} className="w-9 text-right text-sm tabular-nums">
            {value.toFixed(2)}
          </output>
        </div>
      )}
    </div>
  )
}

interface LabelsFieldProps {
  value: readonly string[] | undefined
  onChange: (labels: string[]) => void
  onBlur: () => void
  error: string | undefined
}

function LabelsField({ value = [], onChange, onBlur, error }: LabelsFieldProps) {
  const [text, setText] = useState(value.join(', '))
  return (
    <Field
      label="Labels"
      hint="Serves the first of these labels that a prompt or chain has. If empty: production, or else the newest version."
      error={error}
    >
      <Input
        autoComplete="off"
        placeholder="production, staging"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          onChange(
            target.value
              .split(',')
              .map((label) => label.trim())
              .filter((label) => label !== ''),
          )
        }}
        onBlur={onBlur}
      />
    </Field>
  )
}
