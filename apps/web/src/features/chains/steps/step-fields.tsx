import {
  type ChainStep,
  type Condition,
  createStepRequest,
  DEFAULT_STEP_MODEL,
  type ListedPrompt,
  OUTPUT_NAME_REQUIRED,
  type PromptVersion,
  updateStepRequest,
} from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import { FocusTarget } from '../../../components/focus-target.tsx'
import type { Difference } from '../../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween } from '../../../components/forms/conflict-rows.ts'
import { FormEditor } from '../../../components/prompt-editor/form-editor.tsx'
import type {
  EditorOutput,
  EditorVariable,
} from '../../../components/prompt-editor/prompt-editor-completion.ts'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { numberText, typedNumber } from '../../../lib/text/number-of.ts'
import { type KnownModel, useModelChoices, useModels } from '../../model-settings/models.ts'
import { outputForm, showOutput } from '../../model-settings/output/output-form.ts'
import { outputInput } from '../../model-settings/output/output-value.ts'
import { settingsForm } from '../../model-settings/settings-form.ts'
import { settingRows } from '../../model-settings/settings-text.ts'
import { settingsFormOf, settingsInput, settingsOf } from '../../model-settings/settings-value.ts'
import { TurnFields } from '../../model-settings/turn-fields.tsx'
import { PromptPicker } from '../../prompts/prompt-picker.tsx'
import {
  promptQuery,
  promptVersionQuery,
  promptVersionsQuery,
  useReadContent,
} from '../../prompts/prompts.queries.ts'
import { type Release, VersionChoice } from '../../records/versions/version-choice.tsx'
import { TOKENS_LABEL } from '../tokens-label.ts'
import { askForm, askInput, askInputOf, askRows, checkAsk, stepAskOf } from './ask/ask-form.ts'
import { conditionInputOf } from './flow/condition-input.ts'
import {
  askFlowForm,
  flowInput,
  flowInputOf,
  flowRows,
  hasReason,
  promptFlowForm,
  stopFlowForm,
} from './flow/flow-form.ts'
import { OutputNameField } from './output-name-field.tsx'
import { contentOf } from './step-as-run.ts'

const { title, position } = createStepRequest.shape
export const typedPosition = typedNumber.transform((number) => number ?? 0).pipe(position.unwrap())

export function stepFormFor(otherNames: readonly string[]) {
  const taken = new Set(otherNames.map((name) => name.toLowerCase()))
  const outputVariableName = createStepRequest.shape.outputVariableName
    .unwrap()
    .min(1, OUTPUT_NAME_REQUIRED)
    .refine((name) => !taken.has(name.toLowerCase()), {
      error: ({ input }) => `Another step of this chain already has the output ${input}`,
    })
  const prompting = updateStepRequest
    .omit({ note: true, revision: true, ask: true })
    .required()
    .extend({
      kind: z.literal('prompt'),
      outputVariableName,
      position: typedPosition,
      ...settingsForm({ tokensLabel: TOKENS_LABEL }),
      output: outputForm,
      ...promptFlowForm,
    })
    .strip()
    .transform(({ kind: _, ...step }) => step)
  const ending = z
    .object({ kind: z.literal('stop'), title: title.unwrap(), position: typedPosition, ...stopFlowForm })
    .refine(hasReason, { path: ['stopText'], error: 'Write what went wrong' })
    .transform(({ outcome, stopText, ...step }) => ({
      ...step,
      model: null,
      stop: { outcome, text: stopText },
    }))
  const asking = z
    .object({
      kind: z.literal('ask'),
      title: title.unwrap(),
      outputVariableName,
      position: typedPosition,
      ...askFlowForm,
      ...askForm,
    })
    .superRefine(checkAsk)
    .transform(({ kind, title, outputVariableName, position, onlyIf, default: value, ...asked }) => ({
      kind,
      title,
      outputVariableName,
      position,
      onlyIf,
      default: value,
      model: null,
      ask: stepAskOf(asked),
    }))
  return z.discriminatedUnion('kind', [prompting, asking, ending])
}
export type StepForm = z.output<ReturnType<typeof stepFormFor>>

const text = z.string().default('')

/** While it is being filled in nothing is required, and numbers are as they are typed; the defaults are a new step's. */
export const stepInput = z.object({
  model: z.string().default(DEFAULT_STEP_MODEL),
  outputVariableName: text,
  promptId: z.int().nullable().default(null),
  promptLabel: z.string().nullable().default(null),
  promptVersion: z.int().nullable().default(null),
  title: text,
  content: text,
  position: text,
  ...settingsInput,
  output: outputInput,
  ...flowInput,
  ...askInput,
})
export type StepFormInput = z.output<typeof stepInput>

/** What a new step begins with. */
export interface NextStep {
  position: number
  model?: string | undefined
  onlyIf?: Condition | undefined
}

export function formOf(start: ChainStep | NextStep): StepFormInput {
  const position = numberText(start.position)
  if (!('id' in start)) {
    return stepInput.parse({ position, model: start.model, onlyIf: conditionInputOf(start.onlyIf) })
  }
  return stepInput.parse({
    ...start,
    model: start.model ?? undefined,
    ...settingsOf(start),
    ...flowInputOf(start),
    ...askInputOf(start.ask),
    title: start.linkedPrompt?.title ?? start.title,
    content: contentOf(start),
    position,
  })
}

const rows: ConflictRows<StepFormInput> = {
  model: 'Model',
  outputVariableName: 'Output variable name',
  promptId: {
    label: 'Prompt',
    show: ({ promptId }) => (promptId === null ? 'Custom' : String(promptId)),
  },
  promptLabel: { label: 'Label of the prompt', show: ({ promptLabel }) => promptLabel ?? 'None' },
  promptVersion: {
    label: 'Version of the prompt',
    show: ({ promptVersion }) => (promptVersion === null ? 'Any' : String(promptVersion)),
  },
  title: 'Title',
  content: 'Content',
  position: 'Position',
  ...settingRows({ tokensLabel: TOKENS_LABEL }),
  output: { label: 'Output', show: ({ output }) => showOutput(output) },
  ...flowRows,
  ...askRows,
}

export function differencesOf({ mine, theirs }: { mine: StepFormInput; theirs: ChainStep }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf(theirs) })
}

const FLOW = ['onlyIf', 'forEach', 'default', 'ifItFails'] as const

/** Without what of the flow is stored already: a chain that uses none of it is saved as before there was any. */
export function withoutSameFlow(values: StepForm, stored: Partial<ChainStep>): StepForm {
  const keyOf = (step: Partial<Record<(typeof FLOW)[number], unknown>>, name: (typeof FLOW)[number]) =>
    JSON.stringify(step[name] ?? null)
  const same = new Set<string>(FLOW.filter((name) => keyOf(values, name) === keyOf(stored, name)))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !same.has(name))) as StepForm
}

export interface StepFieldsProps {
  form: UseFormReturn<StepFormInput, unknown, StepForm>
  values: StepFormInput
  step: ChainStep | null
  variables: readonly EditorVariable[]
  outputs: readonly EditorOutput[]
  onCreateVariable: (name: string) => void
}

export function StepFields({ form, values, step, variables, outputs, onCreateVariable }: StepFieldsProps) {
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
      <TurnFields
        form={settingsFormOf(form)}
        templates={{ variables, outputs, onCreateVariable }}
        hasSystem={false}
      />
      <Field label="Content" error={errors.content?.message}>
        <FormEditor
          control={control}
          name="content"
          label="Content"
          variables={variables}
          outputs={outputs}
          onCreateVariable={onCreateVariable}
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
