import { MessageSquareTextIcon, OctagonXIcon, UserCheckIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { FormEditor } from '../../../../components/prompt-editor/form-editor.tsx'
import type { PromptEditorProps } from '../../../../components/prompt-editor/prompt-editor-props.ts'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import { type FlowForm, type FlowInput, KIND_TEXTS, OUTCOME_TEXTS } from './flow-form.ts'

type StepKind = FlowInput['kind']

const KINDS: readonly { kind: StepKind; hint: string; icon: () => ReactNode }[] = [
  { kind: 'prompt', hint: 'asks a model', icon: () => <MessageSquareTextIcon /> },
  { kind: 'ask', hint: 'asks a person', icon: () => <UserCheckIcon /> },
  { kind: 'stop', hint: 'ends the run', icon: () => <OctagonXIcon /> },
]

/** What a new step does. */
export function KindChoice({ value, onChange }: { value: StepKind; onChange: (kind: StepKind) => void }) {
  return (
    <SegmentedControl
      aria-label="Kind of step"
      value={value}
      onValueChange={onChange}
      className="grid grid-cols-3 gap-2 border-0 bg-transparent p-0"
    >
      {KINDS.map(({ kind, hint, icon }) => (
        <SegmentedControlItem
          key={kind}
          value={kind}
          className="h-auto min-h-11 min-w-0 justify-start gap-2.5 rounded-control border border-line bg-surface px-3 py-1.5 text-start data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:text-accent-text max-sm:flex-col max-sm:items-start max-sm:gap-1 max-sm:px-2.5 pointer-coarse:h-auto pointer-coarse:px-3"
        >
          {icon()}
          <span className="grid min-w-0">
            <span className="font-semibold">{KIND_TEXTS[kind]}</span>
            <span className="truncate text-xs font-normal text-text-2">{hint}</span>
          </span>
        </SegmentedControlItem>
      ))}
    </SegmentedControl>
  )
}

export interface StopFieldsProps {
  form: FlowForm
  templates: Pick<PromptEditorProps, 'variables' | 'outputs' | 'onCreateVariable'>
}

/** Of a step that ends the run: as what, and with which text. */
export function StopFields({ form, templates }: StopFieldsProps) {
  const { control, register, formState } = form
  const { errors } = formState
  const outcome = useWatch({ control, name: 'outcome' })
  const label = outcome === 'completed' ? 'Output of the run' : 'Error of the run'
  return (
    <>
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" {...register('title')} />
      </Field>
      <div className="grid gap-1.5">
        <span aria-hidden="true" className="text-xs font-medium text-text-2">
          The run ends as
        </span>
        <Controller
          control={control}
          name="outcome"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label="The run ends as"
              value={value}
              onValueChange={onChange}
              className="justify-self-start"
            >
              <SegmentedControlItem value="completed">{OUTCOME_TEXTS.completed}</SegmentedControlItem>
              <SegmentedControlItem value="failed">{OUTCOME_TEXTS.failed}</SegmentedControlItem>
            </SegmentedControl>
          )}
        />
      </div>
      <Field label={label} error={errors.stopText?.message}>
        <FormEditor control={control} name="stopText" label={label} {...templates} />
      </Field>
    </>
  )
}
