import { ASK_CHOICE_LABEL_MAX, ASK_CHOICES_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../../../components/focus-target.tsx'
import { RemoveButton } from '../../../../components/remove-button.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../../components/ui/choice-select.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { useFocusNew } from '../flow/use-focus-new.ts'
import type { KindFieldsProps } from '../kind-form.ts'
import { type ChoiceEnd, type ChoiceInput, END_TEXTS, newChoice } from './ask-form.ts'

const ENDS = (Object.entries(END_TEXTS) as [ChoiceEnd, string][]).map(([value, label]) => ({ value, label }))

/** The answers to choose from, and what each makes of the run. */
export function ChoiceFields({ form: { control, formState } }: Pick<KindFieldsProps, 'form'>) {
  const { errors } = formState
  const problems = Array.isArray(errors.choices) ? errors.choices : []
  return (
    <section aria-label="Choices" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <span aria-hidden="true" className="text-xs font-medium text-text-2">
        Choices
      </span>
      <Controller
        control={control}
        name="choices"
        render={({ field: { ref, value, onChange } }) => (
          <FocusTarget ref={ref} selector="[aria-invalid]">
            <Choices
              value={value}
              problemOf={(index) => problems[index]?.label?.message}
              onChange={onChange}
            />
          </FocusTarget>
        )}
      />
    </section>
  )
}

interface ChoicesProps {
  value: readonly ChoiceInput[]
  problemOf: (index: number) => string | undefined
  onChange: (value: ChoiceInput[]) => void
}

function Choices({ value, problemOf, onChange }: ChoicesProps) {
  const list = useFocusNew<HTMLDivElement>(value.length, 'input')
  return (
    <div ref={list} className="@container grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {value.map((choice, index) => {
        const change = (part: Partial<ChoiceInput>) => onChange(value.with(index, { ...choice, ...part }))
        const problem = problemOf(index)
        const problemId = `choice-problem-${choice.key}`
        return (
          <div key={choice.key} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <div className="flex items-start gap-1">
              <div className="grid min-w-0 flex-1 grid-cols-2 gap-1.5 @max-[360px]:grid-cols-[minmax(0,1fr)]">
                <Input
                  aria-label={`Choice ${index + 1}`}
                  autoComplete="off"
                  maxLength={ASK_CHOICE_LABEL_MAX}
                  value={choice.label}
                  onChange={({ target }) => change({ label: target.value })}
                  {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': problemId })}
                />
                <ChoiceSelect
                  choices={ENDS}
                  value={choice.ends}
                  onChange={(ends) => change({ ends })}
                  trigger={{ 'aria-label': `What choice ${index + 1} does` }}
                />
              </div>
              {value.length > 1 && (
                <RemoveButton
                  label={`Remove choice ${index + 1}`}
                  onClick={() => onChange(value.toSpliced(index, 1))}
                  className="mt-0.5 pointer-coarse:mt-0"
                />
              )}
            </div>
            {problem !== undefined && (
              <p id={problemId} role="alert" className="text-xs text-danger">
                {problem}
              </p>
            )}
          </div>
        )
      })}
      <Button
        variant="ghost"
        size="sm"
        disabled={value.length >= ASK_CHOICES_MAX}
        onClick={() => onChange([...value, newChoice()])}
        className="-ml-1.5 justify-self-start px-1.5"
      >
        <PlusIcon />
        Add choice
      </Button>
    </div>
  )
}
