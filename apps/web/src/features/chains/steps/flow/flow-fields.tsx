import { useMemo, useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { FocusTarget } from '../../../../components/focus-target.tsx'
import { Fold } from '../../../../components/forms/fold.tsx'
import type {
  EditorOutput,
  EditorVariable,
} from '../../../../components/prompt-editor/prompt-editor-completion.ts'
import { Field } from '../../../../components/ui/field.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import { Textarea } from '../../../../components/ui/textarea.tsx'
import type { StepInputForm } from '../step-input.ts'
import { ConditionFields } from './condition-fields.tsx'
import { type ConditionInput, newComparison, readyConditionOf } from './condition-input.ts'
import { conditionNames } from './condition-names.ts'
import { FAILURES } from './flow-form.ts'
import { ConditionSentence } from './only-if-line.tsx'

export interface FlowFieldsProps {
  form: StepInputForm
  outputs: readonly EditorOutput[]
  variables: readonly EditorVariable[]
  /** Whether a run may go on from its failure. */
  mayFail: boolean
  /** What its output when skipped may be; null: it has no output. */
  defaultHint: string | null
}

/** When a step runs, and what happens where it doesn't. */
export function FlowFields({ form, outputs, variables, mayFail, defaultHint }: FlowFieldsProps) {
  const { control, formState, register } = form
  const { errors } = formState
  const [onlyIf, ifItFails, text] = useWatch({ control, name: ['onlyIf', 'ifItFails', 'default'] })
  const names = useMemo(() => conditionNames({ outputs, variables }), [outputs, variables])
  const mayBeSkipped = onlyIf !== null || ifItFails === 'go_on' || text !== ''
  const [isOpened, setIsOpened] = useState(mayBeSkipped)
  const isOpen = isOpened || errors.onlyIf !== undefined || errors.default !== undefined
  return (
    <Fold
      label={
        <>
          When it runs:{' '}
          <span className="min-w-0 truncate font-normal text-text-3">
            <Summary onlyIf={onlyIf} />
          </span>
        </>
      }
      isOpen={isOpen}
      onOpenChange={setIsOpened}
    >
      <Controller
        control={control}
        name="onlyIf"
        render={({ field: { ref, value, onChange } }) => (
          <FocusTarget ref={ref} selector="[aria-invalid]">
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <SegmentedControl
                aria-label="When it runs"
                value={value === null ? 'always' : 'if'}
                onValueChange={(when) => onChange(when === 'always' ? null : (value ?? firstCondition()))}
                className="justify-self-start"
              >
                <SegmentedControlItem value="always">Always</SegmentedControlItem>
                <SegmentedControlItem value="if">Only if</SegmentedControlItem>
              </SegmentedControl>
              {value !== null && (
                <ConditionFields
                  value={value}
                  names={names}
                  isTried={errors.onlyIf !== undefined}
                  onChange={onChange}
                />
              )}
            </div>
          </FocusTarget>
        )}
      />
      {mayFail && (
        <div className="grid gap-1.5">
          <span aria-hidden="true" className="text-xs font-medium text-text-2">
            If it fails
          </span>
          <Controller
            control={control}
            name="ifItFails"
            render={({ field: { value, onChange } }) => (
              <SegmentedControl
                aria-label="If it fails"
                value={value}
                onValueChange={onChange}
                className="justify-self-start"
              >
                <SegmentedControlItem value="stop">{FAILURES.stop}</SegmentedControlItem>
                <SegmentedControlItem value="go_on">{FAILURES.go_on}</SegmentedControlItem>
              </SegmentedControl>
            )}
          />
        </div>
      )}
      {defaultHint !== null && mayBeSkipped && (
        <Field label="Output when skipped" hint={defaultHint} error={errors.default?.message}>
          <Textarea
            rows={1}
            placeholder="empty"
            className="max-h-60 min-h-[34px] pointer-coarse:min-h-11"
            {...register('default')}
          />
        </Field>
      )}
    </Fold>
  )
}

function firstCondition(): ConditionInput {
  return { join: 'all', parts: [newComparison()] }
}

function Summary({ onlyIf }: { onlyIf: ConditionInput }) {
  const condition = readyConditionOf(onlyIf)
  if (condition === null) return onlyIf === null ? 'always' : 'only if …'
  return <ConditionSentence condition={condition} />
}
