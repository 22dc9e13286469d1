import { SYSTEM_PROMPT_MAX } from '@catenary/contracts'
import { useState } from 'react'
import { Fold } from '../../../../components/forms/fold.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { NumberInput } from '../../../../components/ui/number-input.tsx'
import { Textarea } from '../../../../components/ui/textarea.tsx'
import { FallbackModels } from '../../../model-settings/fallback-models.tsx'
import { EffortField, MaxTokensField, TemperatureField } from '../../../model-settings/model-settings.tsx'
import { FormOutput } from '../../../model-settings/output/output-fields.tsx'
import { settingsFormOf } from '../../../model-settings/settings-value.ts'
import { StopTexts } from '../../../model-settings/stop-texts.tsx'
import { TOKENS_LABEL } from '../../tokens-label.ts'
import { LoopFields } from '../flow/loop-fields.tsx'
import type { KindFieldsProps } from '../kind-form.ts'

/** What a model's answer has to be. */
export function PromptOutput({ form: { control, formState } }: KindFieldsProps) {
  return <FormOutput control={control} name="output" error={formState.errors.output?.message} />
}

/** How often a model is asked, and how. */
export function PromptSettings({ form, values, templates, earlierOutputs }: KindFieldsProps) {
  return (
    <>
      <LoopFields form={form} outputs={earlierOutputs} variables={templates.variables} />
      <Advanced form={form} values={values} />
    </>
  )
}

const SETTINGS = [
  'systemPrompt',
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'fallbackModel',
  'moreFallbackModels',
] as const

function Advanced({ form, values }: Pick<KindFieldsProps, 'form' | 'values'>) {
  const { errors } = form.formState
  const settings = settingsFormOf(form)
  const asked = { form: settings, model: values.model }
  const [isOpened, setIsOpened] = useState(() => SETTINGS.some((name) => (values[name]?.length ?? 0) > 0))
  const isRefused = [...SETTINGS, 'position' as const].some((name) => errors[name] !== undefined)
  const isOpen = isOpened || isRefused
  return (
    <Fold label="Advanced" isOpen={isOpen} onOpenChange={setIsOpened}>
      {values.promptId !== null && (
        <p className="text-xs text-text-3">
          Anything not set here comes from the linked prompt, except the models.
        </p>
      )}
      <FallbackModels {...asked} />
      <Field label="System prompt" error={errors.systemPrompt?.message}>
        <Textarea
          rows={3}
          maxLength={SYSTEM_PROMPT_MAX}
          className="max-h-60"
          {...form.register('systemPrompt')}
        />
      </Field>
      <EffortField {...asked} />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TemperatureField {...asked} />
        <MaxTokensField form={settings} label={TOKENS_LABEL} />
        <Field label="Position" hint="steps run from lowest to highest" error={errors.position?.message}>
          <NumberInput isWhole placeholder="0" {...form.register('position')} />
        </Field>
      </div>
      <StopTexts {...asked} />
    </Fold>
  )
}
