import { useState } from 'react'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '../../components/ui/select.tsx'
import { formatDay } from './token-texts.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const PERIODS = { 'In 30 days': 30, 'In 90 days': 90, 'In a year': 365 }
const NEVER = 'Never'
const ON_A_DATE = 'On a date'

export interface ExpiryFieldProps {
  /** ISO 8601, UTC; null: never. */
  value: string | null
  onChange: (value: string | null) => void
  error: string | undefined
}

/** Until when a token works. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const [choice, setChoice] = useState(value === null ? NEVER : ON_A_DATE)
  const choose = (next: string) => {
    setChoice(next)
    const days = PERIODS[next as keyof typeof PERIODS] ?? PERIODS['In 30 days']
    onChange(next === NEVER ? null : (next === ON_A_DATE && value) || inDays(days))
  }
  const isPeriod = choice in PERIODS && value !== null
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Expires" hint={isPeriod ? `It works until ${formatDay(value)}.` : null} error={error}>
        <Select value={value === null ? NEVER : choice} onValueChange={choose}>
          <SelectTrigger>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {[NEVER, ...Object.keys(PERIODS), ON_A_DATE].map((option) => (
              <SelectItem key={option} value={option}>
                {option}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      </Field>
      {choice === ON_A_DATE && value !== null && (
        <Field label="Date and time">
          <Input
            type="datetime-local"
            value={localOf(value)}
            onChange={({ target }) => {
              const time = new Date(target.value)
              if (!Number.isNaN(time.getTime())) onChange(time.toISOString())
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

/** The person's own wall clock, as the field wants it: `2026-11-21T09:42`. */
function localOf(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}
