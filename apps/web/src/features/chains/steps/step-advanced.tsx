import { SYSTEM_PROMPT_MAX } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/number-input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { FallbackModels } from '../../model-settings/fallback-models.tsx'
import { EffortField, MaxTokensField, TemperatureField } from '../../model-settings/model-settings.tsx'
import { settingsFormOf } from '../../model-settings/settings-value.ts'
import { StopTexts } from '../../model-settings/stop-texts.tsx'
import { TOKENS_LABEL } from '../tokens-label.ts'
import type { StepFieldsProps } from './step-fields.tsx'

const SETTINGS = [
  'systemPrompt',
  'effort',
  'temperature',
  'maxTokens',
  'stop',
  'fallbackModel',
  'moreFallbackModels',
] as const

export function StepAdvanced({ form, values }: Pick<StepFieldsProps, 'form' | 'values'>) {
  const { errors } = form.formState
  const settings = settingsFormOf(form)
  const asked = { form: settings, model: values.model }
  const [isOpened, setIsOpened] = useState(() => SETTINGS.some((name) => (values[name]?.length ?? 0) > 0))
  const isRefused = [...SETTINGS, 'position' as const].some((name) => errors[name] !== undefined)
  const isOpen = isOpened || isRefused
  return (
    <Collapsible open={isOpen} onOpenChange={setIsOpened} className="grid gap-3">
      <CollapsibleTrigger asChild>
        <Button variant="ghost" size="sm" className="-ml-1.5 justify-self-start px-1.5">
          <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
          Advanced
        </Button>
      </CollapsibleTrigger>
      {/* Kept in the form while closed, so that the first refused field can be found. */}
      <CollapsibleContent forceMount className="grid gap-4 data-[state=closed]:hidden">
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
      </CollapsibleContent>
    </Collapsible>
  )
}
