import { useState } from 'react'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import {
  Select,
  SelectContent,
  SelectItem,
  SelectTrigger,
  SelectValue,
} from '../../../components/ui/select.tsx'
import { Switch } from '../../../components/ui/switch.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { numberProblem, plainNumberOf } from '../../../lib/text/number-of.ts'
import { truncate } from '../../../lib/text/truncate.ts'
import { cn } from '../../../lib/utils.ts'
import type { VariableField } from '../run-form.ts'

const FOLDED_MAX = 200
const LONG_MIN = 400
const MISSING = 'border-warn bg-warn-soft placeholder:text-text-2'

export interface ValueInputProps {
  id: string
  field: VariableField
  onChange: (value: string) => void
  describedBy: string
  isMissing: boolean
  isRefused: boolean
  isFolded: boolean
  onFocusChange: (isFocused: boolean) => void
}

export function ValueInput({ field, ...props }: ValueInputProps) {
  const kind = valueKindOf(field)
  if (kind === 'choice') return <Choice field={field} {...props} />
  if (kind === 'switch') return <OffOrOn field={field} {...props} />
  if (kind === 'number') return <NumberValue field={field} {...props} />
  return <Text field={field} {...props} />
}

function Choice({ id, field, onChange, describedBy, isRefused }: ValueInputProps) {
  const { value, allowedValues } = field
  return (
    <Select value={value} onValueChange={onChange}>
      <SelectTrigger
        id={id}
        data-value
        data-wants-value={value === '' || isRefused || undefined}
        aria-describedby={describedBy}
        aria-invalid={isRefused || undefined}
        className={cn(isRefused && 'border-danger!')}
      >
        <SelectValue placeholder="Choose a value">{value || undefined}</SelectValue>
      </SelectTrigger>
      <SelectContent>
        {allowedValues.map((allowed) => (
          <SelectItem key={allowed} value={allowed}>
            {allowed}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  )
}

function OffOrOn({ id, field: { value }, onChange, describedBy }: ValueInputProps) {
  const [off, on] = offAndOn(value) ?? ['false', 'true']
  return (
    <div className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">
      <Switch
        id={id}
        data-value
        checked={value === on}
        aria-describedby={`${describedBy} ${id}-said`}
        onCheckedChange={(isOn) => onChange(isOn ? on : off)}
      />
      <span id={`${id}-said`} className="font-mono text-sm text-text-2">
        {value}
      </span>
    </div>
  )
}

function NumberValue({ id, field, onChange, describedBy, isMissing }: ValueInputProps) {
  const [typed, setTyped] = useState({ text: field.value, value: field.value })
  // What is no number yet counts as none, and stays as it is typed.
  const text = typed.value === field.value ? typed.text : field.value
  const problem = numberProblem(text)
  return (
    <>
      <NumberInput
        id={id}
        data-value
        data-wants-value={isMissing || undefined}
        value={text}
        aria-describedby={problem === undefined ? describedBy : `${describedBy} ${id}-problem`}
        aria-invalid={problem === undefined ? undefined : true}
        placeholder={field.stored ?? ''}
        onChange={({ target }) => {
          const value = plainNumberOf(target.value) ?? ''
          setTyped({ text: target.value, value })
          onChange(value)
        }}
        className={cn('max-w-44 tabular-nums', isMissing && MISSING)}
      />
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </>
  )
}

function Text({ id, field, onChange, describedBy, isMissing, isFolded, onFocusChange }: ValueInputProps) {
  const { type, value, placeholder, api } = field
  const isLong = !isFolded && value.length >= LONG_MIN
  return (
    <>
      <Textarea
        id={id}
        data-value
        data-wants-value={isMissing || undefined}
        rows={1}
        enterKeyHint="next"
        value={isFolded ? truncate({ text: value, max: FOLDED_MAX }) : value}
        onFocus={() => onFocusChange(true)}
        onBlur={() => onFocusChange(false)}
        aria-describedby={isLong ? `${describedBy} ${id}-length` : describedBy}
        placeholder={placeholder}
        spellCheck={type === null || type === 'text' ? undefined : false}
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          'block max-h-32 min-h-8 resize-none py-[5px] pointer-coarse:min-h-11 pointer-coarse:py-2.5',
          isLong && 'max-h-48 min-h-24 resize-y leading-5 focus:max-h-[60vh]',
          isFolded && 'field-sizing-fixed h-8 overflow-hidden whitespace-nowrap',
          api && 'font-mono text-xs leading-5',
          isMissing && MISSING,
        )}
      />
      {isLong && (
        <p id={`${id}-length`} className="pt-1 text-xs text-text-3">
          {value.length.toLocaleString('en')} characters
        </p>
      )}
    </>
  )
}

type ValueKind = 'choice' | 'switch' | 'number' | 'text'

const OFF_AND_ON = [
  ['false', 'true'],
  ['no', 'yes'],
  ['off', 'on'],
] as const
/** Without leading zeros and within what a number input keeps: a postal code is a text. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** The off/on pair that a text belongs to, in the text's own case. */
export function offAndOn(text: string): readonly [off: string, on: string] | undefined {
  for (const [off, on] of OFF_AND_ON) {
    for (const write of [lower, upper, capitalised]) {
      if (text === write(off) || text === write(on)) return [write(off), write(on)]
    }
  }
  return undefined
}

/** Derived from the stored value, so that the input stays while someone types; a value that doesn't fit is a text. */
export function valueKindOf({
  type,
  allowedValues,
  stored,
  value,
}: Pick<VariableField, 'type' | 'allowedValues' | 'stored' | 'value'>): ValueKind {
  if (type !== 'text' || stored === null) return 'text'
  if (allowedValues.length > 0) return 'choice'
  if (offAndOn(stored)?.includes(value)) return 'switch'
  return NUMBER.test(stored) && (value === '' || NUMBER.test(value)) ? 'number' : 'text'
}

const lower = (word: string) => word
const upper = (word: string) => word.toUpperCase()
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
