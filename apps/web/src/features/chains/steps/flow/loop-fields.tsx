import { CONDITION_REF_MAX, ITEM_NAMES, OUTPUT_NAME_MAX } from '@catenary/contracts'
import { useMemo, useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { FocusTarget } from '../../../../components/focus-target.tsx'
import { Fold } from '../../../../components/forms/fold.tsx'
import { SuggestInput } from '../../../../components/forms/suggest-input.tsx'
import type {
  EditorOutput,
  EditorVariable,
} from '../../../../components/prompt-editor/prompt-editor-completion.ts'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { NumberInput } from '../../../../components/ui/number-input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import type { StepInputForm } from '../step-input.ts'
import { type ConditionName, listNames, plainName } from './condition-names.ts'
import { ITEM_FAILURES, newLoop, RESULTS, readyLoopOf } from './loop-input.ts'
import { LoopSentence } from './loop-line.tsx'

export interface LoopFieldsProps {
  form: StepInputForm
  /** Of earlier steps and of the run. */
  outputs: readonly EditorOutput[]
  variables: readonly EditorVariable[]
}

/** How often a step runs: once, or for each item of a list. */
export function LoopFields({ form, outputs, variables }: LoopFieldsProps) {
  const { control, formState } = form
  const loop = useWatch({ control, name: 'forEach' })
  const names = useMemo(() => listNames({ outputs, variables }), [outputs, variables])
  const [isOpened, setIsOpened] = useState(loop !== null)
  const isOpen = isOpened || formState.errors.forEach !== undefined
  const ready = readyLoopOf(loop)
  return (
    <Fold
      label={
        <>
          How often it runs:{' '}
          <span className="min-w-0 truncate font-normal text-text-3">
            {ready === null ? 'once' : <LoopSentence loop={ready} />}
          </span>
        </>
      }
      isOpen={isOpen}
      onOpenChange={setIsOpened}
    >
      <Controller
        control={control}
        name="forEach"
        render={({ field: { value, onChange } }) => (
          <SegmentedControl
            aria-label="How often it runs"
            value={value === null ? 'once' : 'each'}
            onValueChange={(often) => onChange(often === 'once' ? null : (value ?? newLoop()))}
            className="justify-self-start"
          >
            <SegmentedControlItem value="once">Once</SegmentedControlItem>
            <SegmentedControlItem value="each">For each item</SegmentedControlItem>
          </SegmentedControl>
        )}
      />
      {loop !== null && <ListFields form={form} names={names} item={loop.as.trim() || ITEM_NAMES.item} />}
    </Fold>
  )
}

interface ListFieldsProps {
  form: StepInputForm
  names: readonly ConditionName[]
  /** What an item is called. */
  item: string
}

function ListFields({ form, names, item }: ListFieldsProps) {
  const error = form.formState.errors.forEach?.list
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Controller
        control={form.control}
        name="forEach.list"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <FocusTarget ref={ref} selector="input">
            <Field
              label="List"
              error={error?.message}
              hint={error ? null : 'A JSON list, numbered items or lines'}
            >
              <SuggestInput
                aria-label="List"
                placeholder="triage.items"
                maxLength={CONDITION_REF_MAX}
                suggestions={names}
                value={value}
                onChange={(name) => onChange(plainName(name))}
                onBlur={onBlur}
                className="font-mono text-xs"
              />
            </Field>
          </FocusTarget>
        )}
      />
      <ItemFields form={form} item={item} />
      <Choice form={form} name="forEach.onFailure" label="If an item fails" texts={ITEM_FAILURES} />
      <Choice form={form} name="forEach.result" label="Combine results as" texts={RESULTS} />
    </div>
  )
}

/** Known to the form after the list, so that of several problems the list’s is the first. */
function ItemFields({ form: { register, formState }, item }: Pick<ListFieldsProps, 'form' | 'item'>) {
  const errors = formState.errors.forEach
  return (
    <>
      <Field
        label="Item name"
        error={errors?.as?.message}
        hint={
          errors?.as ? null : (
            <>
              Texts use it as <Reference name={item} />, and its number as{' '}
              <Reference name={ITEM_NAMES.number} />
            </>
          )
        }
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={OUTPUT_NAME_MAX}
          className="font-mono text-xs"
          {...register('forEach.as')}
        />
      </Field>
      <Field
        label="Maximum items"
        error={errors?.max?.message}
        hint={errors?.max ? null : 'A longer list ends the run before anything is asked'}
      >
        <NumberInput isWhole {...register('forEach.max')} />
      </Field>
      <Field label="Items at once" error={errors?.atOnce?.message}>
        <NumberInput isWhole {...register('forEach.atOnce')} />
      </Field>
    </>
  )
}

function Reference({ name }: { name: string }) {
  return <code className="rounded-[4px] bg-out-soft px-1 wrap-anywhere text-out">{`{{${name}}}`}</code>
}

interface ChoiceProps {
  form: StepInputForm
  name: 'forEach.onFailure' | 'forEach.result'
  label: string
  texts: Readonly<Record<string, string>>
}

function Choice({ form: { control }, name, label, texts }: ChoiceProps) {
  return (
    <div className="grid gap-1.5">
      <span aria-hidden="true" className="text-xs font-medium text-text-2">
        {label}
      </span>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => (
          <SegmentedControl
            aria-label={label}
            value={value}
            onValueChange={onChange}
            className="justify-self-start"
          >
            {Object.entries(texts).map(([choice, text]) => (
              <SegmentedControlItem key={choice} value={choice}>
                {text}
              </SegmentedControlItem>
            ))}
          </SegmentedControl>
        )}
      />
    </div>
  )
}
