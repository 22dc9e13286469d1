import {
  CONDITION_OPS,
  CONDITION_REF_MAX,
  CONDITION_VALUE_MAX,
  CONDITIONS_MAX,
  type ConditionOp,
} from '@catenary/contracts'
import { comparisonWords } from '@catenary/domain'
import { PlusIcon } from 'lucide-react'
import { useId } from 'react'
import { SuggestInput, type Suggestion } from '../../../../components/forms/suggest-input.tsx'
import { RemoveButton } from '../../../../components/remove-button.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../../components/ui/choice-select.tsx'
import { isEnter } from '../../../../lib/keyboard/pressed.ts'
import { type ComparisonInput, comparisonProblem, withOp } from './condition-input.ts'
import { type ConditionName, plainName } from './condition-names.ts'
import { useFocusNew } from './use-focus-new.ts'

interface Operator {
  op: ConditionOp
  not: boolean
}

const keyOf = ({ op, not }: Operator) => (not ? `not ${op}` : op)
const OPERATORS = new Map(
  CONDITION_OPS.flatMap((op) =>
    [false, true].map((not): [string, Operator] => [keyOf({ op, not }), { op, not }]),
  ),
)
const CHOICES = [...OPERATORS].map(([value, { op, not }]) => ({
  value,
  label: comparisonWords(not ? { op, not } : { op }),
}))

export interface ComparisonRowProps {
  row: ComparisonInput
  /** As 2, or 2.1 within a group. */
  place: string
  names: readonly ConditionName[]
  /** Whether it was to be saved: until then it is still being written. */
  isTried: boolean
  onChange: (row: ComparisonInput) => void
  onRemove: () => void
}

/** A sentence of three fields: a name, what is asked of it, and a value. */
export function ComparisonRow({ row, place, names, isTried, onChange, onRemove }: ComparisonRowProps) {
  const id = useId()
  const problem = isTried ? comparisonProblem(row) : null
  const invalid = (field: 'ref' | 'value') =>
    problem?.field === field && { 'aria-invalid': true as const, 'aria-describedby': id }
  const choices = (names.find(({ value }) => value === row.ref)?.choices ?? []).map((value) => ({ value }))
  const isValueLess = row.op === 'is_empty'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-start gap-1">
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1.2fr)] gap-1.5 @max-[440px]:grid-cols-[minmax(0,1fr)]">
          <SuggestInput
            aria-label={`Name in condition ${place}`}
            data-condition-name
            placeholder="triage.severity"
            maxLength={CONDITION_REF_MAX}
            suggestions={names}
            value={row.ref}
            onChange={(ref) => onChange({ ...row, ref: plainName(ref) })}
            className="font-mono text-xs"
            {...invalid('ref')}
          />
          <ChoiceSelect
            choices={CHOICES}
            value={keyOf(row)}
            onChange={(key) => onChange(withOp(row, OPERATORS.get(key) ?? row))}
            trigger={{ 'aria-label': `Comparison in condition ${place}` }}
          />
          {row.op === 'is_one_of' ? (
            <Values
              values={row.values}
              place={place}
              choices={choices}
              invalid={invalid('value') || {}}
              onChange={(values) => onChange({ ...row, values })}
            />
          ) : (
            !isValueLess && (
              <SuggestInput
                aria-label={`Value in condition ${place}`}
                placeholder={row.op === 'matches' ? 'regular expression' : 'value'}
                maxLength={CONDITION_VALUE_MAX}
                suggestions={choices}
                value={row.value}
                onChange={(value) => onChange({ ...row, value })}
                {...invalid('value')}
              />
            )
          )}
        </div>
        <RemoveButton
          label={`Remove condition ${place}`}
          onClick={onRemove}
          className="mt-0.5 pointer-coarse:mt-0"
        />
      </div>
      {problem && (
        <p id={id} role="alert" className="text-xs text-danger">
          {problem.message}
        </p>
      )}
    </div>
  )
}

interface ValuesProps {
  values: readonly string[]
  place: string
  choices: readonly Suggestion[]
  invalid: { 'aria-invalid'?: true; 'aria-describedby'?: string }
  onChange: (values: string[]) => void
}

function Values({ values, place, choices, invalid, onChange }: ValuesProps) {
  const list = useFocusNew<HTMLDivElement>(values.length, 'input')
  const isFull = values.length >= CONDITIONS_MAX
  const add = () => isFull || onChange([...values, ''])
  return (
    <div ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a value is known by its place alone.
        <div key={index} className="flex items-center">
          <SuggestInput
            aria-label={`Value ${index + 1} in condition ${place}`}
            placeholder="value"
            maxLength={CONDITION_VALUE_MAX}
            suggestions={choices.filter((choice) => choice.value === value || !values.includes(choice.value))}
            value={value}
            onChange={(value) => onChange(values.with(index, value))}
            onKeyDown={(event) => {
              if (!isEnter(event) || event.currentTarget.getAttribute('aria-expanded') === 'true') return
              event.preventDefault()
              add()
            }}
            {...(value === '' ? invalid : {})}
          />
          {values.length > 1 && (
            <RemoveButton
              label={`Remove value ${index + 1} of condition ${place}`}
              onClick={() => onChange(values.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <Button
        variant="ghost"
        size="sm"
        disabled={isFull}
        aria-label={`Add value to condition ${place}`}
        onClick={add}
        className="justify-self-start px-1.5"
      >
        <PlusIcon />
        Add value
      </Button>
    </div>
  )
}
