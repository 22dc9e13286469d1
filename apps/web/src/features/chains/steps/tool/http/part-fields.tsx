import { TOOL_PARTS_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../../../../components/focus-target.tsx'
import { PromptEditor } from '../../../../../components/prompt-editor/prompt-editor.tsx'
import { RemoveButton } from '../../../../../components/remove-button.tsx'
import { Button } from '../../../../../components/ui/button.tsx'
import { Field } from '../../../../../components/ui/field.tsx'
import { Input } from '../../../../../components/ui/input.tsx'
import { useFocusNew } from '../../flow/use-focus-new.ts'
import type { KindFieldsProps } from '../../kind-form.ts'
import { newPart, PART_NAME_MAX, type PartInput } from './http-form.ts'
import { SealButton, SealedValue } from './sealed-value.tsx'
import type { Sealing } from './use-sealing.ts'

interface PartFieldsProps extends Pick<KindFieldsProps, 'form' | 'templates'> {
  of: 'query' | 'headers'
  label: string
  /** One of them, as in ‘Add header’. */
  word: string
  hint?: ReactNode
  sealing: Sealing
}

/** Names and values of a call. */
export function PartFields({ form: { control, formState }, of, hint, ...texts }: PartFieldsProps) {
  const found = formState.errors[of]
  const problems = Array.isArray(found) ? found : []
  return (
    <Controller
      control={control}
      name={of}
      render={({ field: { ref, value, onChange } }) => (
        <FocusTarget ref={ref} selector="[aria-invalid=true]">
          <Parts
            {...texts}
            of={of}
            hint={hint}
            value={value}
            problemsOf={(index) => ({
              name: problems[index]?.name?.message,
              value: problems[index]?.value?.message,
            })}
            onChange={onChange}
          />
        </FocusTarget>
      )}
    />
  )
}

interface PartProblems {
  name: string | undefined
  value: string | undefined
}

interface PartsProps
  extends Pick<PartFieldsProps, 'of' | 'label' | 'word' | 'hint' | 'templates' | 'sealing'> {
  value: readonly PartInput[]
  problemsOf: (index: number) => PartProblems
  onChange: (value: PartInput[]) => void
}

function Parts({ value, of, label, word, hint, templates, sealing, problemsOf, onChange }: PartsProps) {
  const list = useFocusNew<HTMLElement>(value.length, 'input')
  const hintId = useId()
  return (
    <section
      ref={list}
      aria-label={label}
      {...(hint !== undefined && { 'aria-describedby': hintId })}
      className="@container grid grid-cols-[minmax(0,1fr)] gap-1.5"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <span aria-hidden="true" className="text-xs font-medium text-text-2">
          {label}
        </span>
        <Button
          variant="ghost"
          size="sm"
          data-add
          disabled={value.length >= TOOL_PARTS_MAX}
          onClick={() => onChange([...value, newPart()])}
          className="-mr-1.5 h-6 px-1.5 pointer-coarse:h-11"
        >
          <PlusIcon />
          Add {word}
        </Button>
      </div>
      {value.map((part, index) => (
        <Part
          key={part.key}
          part={part}
          name={`${word} ${index + 1}`}
          templates={templates}
          owner={sealing.owner}
          hasValue={sealing.hasValue(of === 'headers' ? 'header' : 'query', part.name)}
          problems={problemsOf(index)}
          onChange={(next) => onChange(value.with(index, next))}
          onRemove={() => onChange(value.toSpliced(index, 1))}
        />
      ))}
      {hint !== undefined && (
        <p id={hintId} className="text-xs text-text-3 wrap-anywhere">
          {hint}
        </p>
      )}
    </section>
  )
}

interface PartProps extends Pick<KindFieldsProps, 'templates'> {
  part: PartInput
  /** As in ‘header 2’. */
  name: string
  owner: string | null
  hasValue: boolean
  problems: PartProblems
  onChange: (part: PartInput) => void
  onRemove: () => void
}

function Part({ part, name, templates, owner, hasValue, problems, onChange, onRemove }: PartProps) {
  const [ofName, ofValue] = [`Name of ${name}`, `Value of ${name}`]
  return (
    <div className="flex items-start gap-1">
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(0,1.8fr)] items-start gap-1.5 @max-[420px]:grid-cols-[minmax(0,1fr)]">
        <Field label={ofName} hideLabel error={problems.name}>
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={PART_NAME_MAX}
            placeholder="Name"
            className="font-mono text-xs"
            value={part.name}
            onChange={({ target }) => onChange({ ...part, name: target.value })}
          />
        </Field>
        <Field label={ofValue} hideLabel error={problems.value}>
          {part.isSealed ? (
            <SealedValue
              shown="Sealed"
              hasValue={hasValue}
              owner={owner}
              value={part.value}
              isReplaced={part.isReplaced || part.value !== ''}
              name={`value of ${name}`}
              placeholder="Value"
              onChange={(value) => onChange({ ...part, value })}
              onReplace={() => onChange({ ...part, isReplaced: true })}
            />
          ) : (
            <PromptEditor
              label={ofValue}
              {...templates}
              isOneLine
              placeholder="Value"
              value={part.value}
              onChange={(value) => onChange({ ...part, value })}
            />
          )}
        </Field>
      </div>
      {(owner === null || part.isSealed) && (
        <SealButton
          name={name}
          isSealed={part.isSealed}
          onChange={(isSealed) => onChange({ ...part, isSealed, isReplaced: false })}
          className="mt-0.5 pointer-coarse:mt-0"
        />
      )}
      <RemoveButton label={`Remove ${name}`} onClick={onRemove} className="mt-0.5 pointer-coarse:mt-0" />
    </div>
  )
}
