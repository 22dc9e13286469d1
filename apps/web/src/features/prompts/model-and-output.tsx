import { ChevronDownIcon, Settings2Icon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { useFormValues } from '../../components/forms/use-draft-form.ts'
import type { EditorVariable } from '../../components/prompt-editor/prompt-editor-completion.ts'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import { Field } from '../../components/ui/field.tsx'
import { cn } from '../../lib/utils.ts'
import { FallbackModels } from '../model-settings/fallback-models.tsx'
import { EffortField, MaxTokensField, TemperatureField } from '../model-settings/model-settings.tsx'
import { useModelChoices, useModelLabel, useModels } from '../model-settings/models.ts'
import { FormOutput } from '../model-settings/output/output-fields.tsx'
import { settingsSummary } from '../model-settings/settings-text.ts'
import { settingsFormOf } from '../model-settings/settings-value.ts'
import { StopTexts } from '../model-settings/stop-texts.tsx'
import { TurnFields } from '../model-settings/turn-fields.tsx'
import { PromptAttachments } from './prompt-attachments.tsx'
import { type PromptForm, type PromptFormInput, promptInput, TOKENS_LABEL } from './prompt-form.ts'

/** A choice of the list needs a value; no alias can be this one. */
const NONE = '-'

interface SectionProps {
  form: UseFormReturn<PromptFormInput, unknown, PromptForm>
}

export interface ModelAndOutputProps extends SectionProps {
  templates: { variables: readonly EditorVariable[]; onCreateVariable: (name: string) => void }
  /** Where there is room, what is set is in view. */
  isLarge: boolean
}

/** Everything but the text itself, under one line that says what is set. */
export function ModelAndOutput({ form, templates, isLarge }: ModelAndOutputProps) {
  const values = promptInput.parse(useFormValues(form))
  const labelOf = useModelLabel()
  const [isOpened, setIsOpened] = useState(() => isLarge && isAnySet(values))
  const { errors } = form.formState
  const isRefused = SETTINGS.some((name) => errors[name] !== undefined)
  const isOpen = isOpened || isRefused
  return (
    <Collapsible
      open={isOpen}
      onOpenChange={setIsOpened}
      className="min-w-0 rounded-card border border-line bg-surface"
    >
      <h2 className="contents">
        <CollapsibleTrigger className="field-ring flex w-full items-center gap-2 rounded-card px-3.5 py-2.5 text-left pointer-coarse:min-h-11">
          <Settings2Icon className="size-4 shrink-0 text-text-2" />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
            <span className="text-sm font-medium">Model and output</span>
            <span className="min-w-0 text-xs font-normal text-text-3 wrap-anywhere">
              {isOpen
                ? 'saved with the version; runs, chains and code use it'
                : settingsSummary({
                    ...values,
                    model: values.model === null ? null : labelOf(values.model),
                    fallbacks: [values.fallbackModel ?? [], values.moreFallbackModels].flat().map(labelOf),
                  })}
            </span>
          </span>
          <ChevronDownIcon
            className={cn('size-4 shrink-0 text-text-3 transition-transform', isOpen && 'rotate-180')}
          />
        </CollapsibleTrigger>
      </h2>
      {/* Kept in the form while closed, so that the first refused field can be found. */}
      <CollapsibleContent
        forceMount
        className="@container grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-3.5 data-[state=closed]:hidden"
      >
        <TurnFields form={settingsFormOf(form)} templates={templates} />
        <Settings form={form} model={values.model} />
        <FormOutput control={form.control} name="output" error={errors.output?.message} />
        <PromptAttachments content={values.content} model={values.model} />
      </CollapsibleContent>
    </Collapsible>
  )
}

const SETTINGS = [
  'model',
  'fallbackModel',
  'moreFallbackModels',
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'output',
  'systemPrompt',
  'messages',
] as const

function isAnySet(values: PromptFormInput): boolean {
  const unset = promptInput.parse({})
  return SETTINGS.some((name) => JSON.stringify(values[name]) !== JSON.stringify(unset[name]))
}

function Settings({ form, model }: SectionProps & { model: string | null }) {
  const settings = settingsFormOf(form)
  const asked = { form: settings, model }
  return (
    <>
      <div className="grid items-start gap-x-4 gap-y-3 @sm:grid-cols-2">
        <div className="min-w-0">
          <Controller
            control={form.control}
            name="model"
            render={({ field: { ref, value, onChange, onBlur } }) => (
              <ModelField value={value} error={form.formState.errors.model?.message}>
                {(choices) => (
                  <ChoiceSelect
                    choices={choices}
                    value={value ?? NONE}
                    onChange={(alias) => onChange(alias === NONE ? null : alias)}
                    onBlur={onBlur}
                    trigger={{ ref }}
                  />
                )}
              </ModelField>
            )}
          />
        </div>
        <FallbackModels {...asked} />
        <MaxTokensField form={settings} label={TOKENS_LABEL} />
        <TemperatureField {...asked} />
      </div>
      <EffortField {...asked} />
      <StopTexts {...asked} />
    </>
  )
}

interface ModelFieldProps {
  value: string | null
  error: string | undefined
  children: (choices: { value: string; label: string }[]) => ReactNode
}

function ModelField({ value, error, children }: ModelFieldProps) {
  const models = useModels()
  const choices = useModelChoices(value)
  const isReady = value === null || models.find(({ alias }) => alias === value)?.configured
  return (
    <Field
      label="Model"
      error={error}
      hint={isReady ? undefined : 'This model is not set up here. Runs will fail until you choose another.'}
    >
      {children([{ value: NONE, label: 'No model set' }, ...choices])}
    </Field>
  )
}
