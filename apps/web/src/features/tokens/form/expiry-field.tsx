import { useState } from 'react'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { formatTime, fromClock, toClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'

const DAY_MS = 86_400_000
const PERIODS = { 'In 30 days': 30, 'In 90 days': 90, 'In a year': 365 }
const NEVER = 'Never'
const ON_A_DATE = 'On a date'
const CHOICES = [NEVER, ...Object.keys(PERIODS), ON_A_DATE]

export interface ExpiryFieldProps {
  /** ISO 8601, UTC; null: never. */
  value: string | null
  onChange: (value: string | null) => void
  error: string | undefined
}

export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const [choice, setChoice] = useState(value === null ? NEVER : ON_A_DATE)
  const choose = (next: string) => {
    setChoice(next)
    const days = PERIODS[next as keyof typeof PERIODS] ?? PERIODS['In 30 days']
    onChange(next === NEVER ? null : (next === ON_A_DATE && value) || inDays(days))
  }
  const timeZone = useTimeZone()
  const isPeriod = choice in PERIODS && value !== null
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label="Expires"
        hint={isPeriod ? `It works until ${formatTime({ time: value, as: 'day', timeZone })}.` : null}
        error={error}
      >
        <ChoiceSelect
          choices={CHOICES.map((choice) => ({ value: choice, label: choice }))}
          value={value === null ? NEVER : choice}
          onChange={choose}
        />
      </Field>
      {choice === ON_A_DATE && value !== null && (
        <Field label="Date and time">
          <Input
            type="datetime-local"
            value={toClock({ time: value, timeZone })}
            onChange={({ target }) => {
              const time = fromClock({ local: target.value, timeZone })
              if (time) onChange(time.toISOString())
            }}
          />
        </Field>
      )}
    </div>
  )
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString()
}
