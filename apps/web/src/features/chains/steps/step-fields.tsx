import { type ListedPrompt, MODEL_ALIASES, MODEL_LABELS, type ModelAlias } from '@catenary/contracts'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FocusTarget } from '../../../components/focus-target.tsx'
import { PromptEditor } from '../../../components/prompt-editor/prompt-editor.tsx'
import type {
  EditorOutput,
  EditorVariable,
} from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import {
  Select,
  SelectContent,
  SelectItem,
  SelectTrigger,
  SelectValue,
} from '../../../components/ui/select.tsx'
import { useInstance } from '../../../lib/instance.ts'
import { PromptPicker } from './prompt-picker.tsx'
import { StepAdvanced } from './step-advanced.tsx'
import type { StepForm, StepFormInput } from './step-form.ts'

/** The prompts that a step can be linked to. */
export interface PromptChoices {
  prompts: readonly ListedPrompt[]
  /** Hears what is typed to find one: more may be found elsewhere. */
  onSearchPrompts: (text: string) => void
  /** Gives a prompt's whole content. */
  readContent: (prompt: ListedPrompt) => string | Promise<string>
}

export interface StepFieldsProps extends PromptChoices {
  form: UseFormReturn<StepFormInput, unknown, StepForm>
  values: StepFormInput
  variables: readonly EditorVariable[]
  outputs: readonly EditorOutput[]
  onCreateVariable: (name: string) => void
}

/** The inputs of a step. */
export function StepFields({
  form,
  values,
  variables,
  outputs,
  onCreateVariable,
  ...choices
}: StepFieldsProps) {
  const { control, register, formState, setValue } = form
  const { errors, isSubmitted } = formState
  const isLinked = values.promptId !== null
  const change = { shouldDirty: true, shouldValidate: isSubmitted }
  const choosePrompt = async (prompt: ListedPrompt | null) => {
    setValue('promptId', prompt?.id ?? null, change)
    setValue('title', prompt?.title ?? '', change)
    const content = prompt ? choices.readContent(prompt) : ''
    setValue('content', typeof content === 'string' ? content : '', change)
    // Saved without it, the step gets the prompt's text all the same.
    if (typeof content !== 'string') setValue('content', await content.catch(() => ''), change)
  }
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="model"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <ModelField
              value={value}
              error={errors.model?.message}
              onChange={onChange}
              onBlur={onBlur}
              ref={ref}
            />
          )}
        />
        <Field
          label="Output variable name"
          error={errors.outputVariableName?.message}
          hint={
            errors.outputVariableName ? null : (
              <>
                Later steps take it as{' '}
                <code className="rounded-[4px] bg-out-soft px-1 text-out">{`{{${values.outputVariableName || 'name'}}}`}</code>
              </>
            )
          }
        >
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-xs"
            {...register('outputVariableName')}
          />
        </Field>
      </div>
      <Field
        label="Prompt"
        hint={isLinked ? 'Title and content are the prompt’s; a run uses its text of that moment.' : null}
        error={errors.promptId?.message}
      >
        <Controller
          control={control}
          name="promptId"
          render={({ field: { ref, value } }) => (
            <FocusTarget ref={ref} selector="button">
              <PromptPicker
                prompts={choices.prompts}
                value={value}
                linkedTitle={values.title}
                onSearch={choices.onSearchPrompts}
                onChange={(prompt) => void choosePrompt(prompt)}
              />
            </FocusTarget>
          )}
        />
      </Field>
      <Field label="Title" error={errors.title?.message}>
        <Input
          autoComplete="off"
          readOnly={isLinked}
          className={isLinked ? LOCKED : ''}
          {...register('title')}
        />
      </Field>
      <Field label="Content" error={errors.content?.message}>
        <Controller
          control={control}
          name="content"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <FocusTarget ref={ref} selector="[role=textbox]">
              <PromptEditor
                label="Content"
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                variables={variables}
                outputs={outputs}
                onCreateVariable={onCreateVariable}
                readOnly={isLinked}
                className={isLinked ? LOCKED : ''}
              />
            </FocusTarget>
          )}
        />
      </Field>
      <StepAdvanced form={form} values={values} />
    </>
  )
}

const LOCKED = 'bg-inset text-text-2 hover:border-line'

function ModelField({
  value,
  error,
  onChange,
  onBlur,
  ref,
}: {
  value: ModelAlias
  error: string | undefined
  onChange: (model: ModelAlias) => void
  onBlur: () => void
  ref: React.Ref<HTMLButtonElement>
}) {
  const instance = useInstance()
  const hasKey = (alias: ModelAlias) =>
    instance?.models.find((model) => model.alias === alias)?.configured !== false
  return (
    <Field
      label="Model"
      error={error}
      hint={hasKey(value) ? null : 'No key is set for this model: a run would fail at this step.'}
    >
      <Select value={value} onValueChange={onChange} onOpenChange={(open) => open || onBlur()}>
        <SelectTrigger ref={ref}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {MODEL_ALIASES.map((alias) => (
            <SelectItem key={alias} value={alias}>
              {MODEL_LABELS[alias]}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </Field>
  )
}
