import type { ChainStep, ListedPrompt, PromptVersion } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { Controller } from 'react-hook-form'
import { FocusTarget } from '../../../../components/focus-target.tsx'
import { FormEditor } from '../../../../components/prompt-editor/form-editor.tsx'
import { ChoiceSelect } from '../../../../components/ui/choice-select.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { type KnownModel, useModelChoices, useModels } from '../../../model-settings/models.ts'
import { settingsFormOf } from '../../../model-settings/settings-value.ts'
import { TurnFields } from '../../../model-settings/turn-fields.tsx'
import { PromptPicker } from '../../../prompts/prompt-picker.tsx'
import {
  promptQuery,
  promptVersionQuery,
  promptVersionsQuery,
  useReadContent,
} from '../../../prompts/prompts.queries.ts'
import { type Release, VersionChoice } from '../../../records/versions/version-choice.tsx'
import type { KindFieldsProps } from '../kind-form.ts'
import { OutputNameField } from '../output-name-field.tsx'

/** Of a step that asks a model: which, and with which text. */
export function PromptFields({ form, values, step, templates }: KindFieldsProps) {
  const readContent = useReadContent()
  const { control, register, formState, setValue } = form
  const { errors, isSubmitted } = formState
  const isLinked = values.promptId !== null
  const change = { shouldDirty: true, shouldValidate: isSubmitted }
  const choosePrompt = async (prompt: ListedPrompt | null) => {
    setValue('promptId', prompt?.id ?? null, change)
    setValue('promptLabel', null, change)
    setValue('promptVersion', null, change)
    setValue('title', prompt?.title ?? '', change)
    const content = prompt ? readContent(prompt) : ''
    setValue('content', typeof content === 'string' ? content : '', change)
    // Saved without it, the step gets the prompt's text all the same.
    if (typeof content !== 'string') setValue('content', await content.catch(() => ''), change)
  }
  const chooseLink: PromptLinkFieldProps['onChange'] = async ({ label, version }, text) => {
    setValue('promptLabel', label, change)
    setValue('promptVersion', version, change)
    const { title, content } = await text.catch(() => ({ title: values.title, content: '' }))
    setValue('title', title, change)
    setValue('content', content, change)
  }
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="model"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <StepModelField
              value={value}
              error={errors.model?.message}
              onChange={onChange}
              onBlur={onBlur}
              ref={ref}
            />
          )}
        />
        <OutputNameField
          field={register('outputVariableName')}
          value={values.outputVariableName}
          error={errors.outputVariableName?.message}
        />
      </div>
      <Field label="Prompt" error={errors.promptId?.message}>
        <Controller
          control={control}
          name="promptId"
          render={({ field: { ref, value } }) => (
            <FocusTarget ref={ref} selector="button">
              <PromptPicker
                value={value}
                linkedTitle={values.title}
                none={{ title: 'Custom', hint: 'its own text', isChoice: true }}
                onChange={(prompt) => void choosePrompt(prompt)}
              />
            </FocusTarget>
          )}
        />
      </Field>
      {values.promptId !== null && (
        <PromptLinkField
          key={values.promptId}
          promptId={values.promptId}
          value={{ label: values.promptLabel, version: values.promptVersion }}
          hint={linkHint(values, step)}
          error={errors.promptLabel?.message ?? errors.promptVersion?.message}
          onChange={(release, text) => void chooseLink(release, text)}
        />
      )}
      <Field label="Title" error={errors.title?.message}>
        <Input
          autoComplete="off"
          readOnly={isLinked}
          className={isLinked ? LOCKED : ''}
          {...register('title')}
        />
      </Field>
      <TurnFields form={settingsFormOf(form)} templates={templates} hasSystem={false} />
      <Field label="Content" error={errors.content?.message}>
        <FormEditor
          control={control}
          name="content"
          label="Content"
          {...templates}
          readOnly={isLinked}
          className={isLinked ? LOCKED : ''}
        />
      </Field>
    </>
  )
}

const LOCKED = 'bg-inset text-text-2 hover:border-line-strong'

interface StepModelFieldProps {
  value: string
  error: string | undefined
  onChange: (model: string) => void
  onBlur: () => void
  ref: Ref<HTMLButtonElement>
}

function StepModelField({ value, error, onChange, onBlur, ref }: StepModelFieldProps) {
  const chosen = useModels().find(({ alias }) => alias === value)
  return (
    <Field label="Model" error={error} hint={hintFor(chosen)}>
      <ChoiceSelect
        choices={useModelChoices(value)}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        trigger={{ ref }}
      />
    </Field>
  )
}

function hintFor(chosen: KnownModel | undefined): string | null {
  if (chosen?.configured) return null
  const reason = chosen ? 'No key is set for this model' : 'This model is not set up here'
  return `${reason}. Runs will fail at this step.`
}

const VERSIONS_OFFERED = 50

type StepLink = Pick<ChainStep, 'promptLabel' | 'promptVersion'>

interface PromptLinkFieldProps {
  promptId: number
  value: Release
  hint: string
  error: string | undefined
  onChange: (release: Release, text: Promise<Pick<PromptVersion, 'title' | 'content'>>) => void
}

function PromptLinkField({ promptId, onChange, ...props }: PromptLinkFieldProps) {
  const queryClient = useQueryClient()
  const { data: prompt } = useQuery(promptQuery(promptId))
  const { data: versions = [] } = useQuery({
    ...promptVersionsQuery(promptId),
    enabled: prompt?.canEdit === true,
  })
  const { labels = [] } = prompt ?? {}
  const readText = async ({ label, version }: Release) => {
    const number = version ?? labels.find((one) => one.label === label)?.version
    if (prompt && (number === undefined || number === prompt.version)) return prompt
    return queryClient.fetchQuery(promptVersionQuery({ id: promptId, number: number ?? 0 }))
  }
  return (
    <VersionChoice
      {...props}
      name="Runs"
      newest="Current text"
      releases={prompt && { latest: prompt.version, labels, versions: versions.slice(0, VERSIONS_OFFERED) }}
      onChange={(release) => onChange(release, readText(release))}
    />
  )
}

function linkHint({ promptLabel, promptVersion }: StepLink, step: ChainStep | null): string {
  const whose = 'Title and content are the prompt’s'
  if (promptVersion !== null)
    return `${whose}; a run uses version ${promptVersion}, even if the prompt changes.`
  if (promptLabel === null) return `${whose}; a run uses its text at that time.`
  const moved = step && movedTo({ ...step, promptLabel })
  if (moved)
    return `${promptLabel} has been moved since this step was saved: a run now uses version ${moved}.`
  return `${whose}; a run uses the version that ${promptLabel} is on at that time.`
}

function movedTo(step: ChainStep): number | null {
  const { linkedPrompt, content, promptLabel } = step
  return promptLabel !== null && linkedPrompt && linkedPrompt.content !== content
    ? linkedPrompt.version
    : null
}
