import { SYSTEM_PROMPT_MAX } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { StepFallbackField } from './step-fallback-field.tsx'
import type { StepFieldsProps } from './step-fields.tsx'

/** Fields that most steps leave alone; open if one of them is set or refused. */
export function StepAdvanced({
  form: { control, register, formState },
  values,
}: Pick<StepFieldsProps, 'form' | 'values'>) {
  const { errors } = formState
  const [isOpened, setIsOpened] = useState(
    () =>
      values.systemPrompt !== '' ||
      values.temperature !== '' ||
      values.maxTokens !== '' ||
      values.fallbackModel !== null,
  )
  const isRefused = Boolean(
    errors.fallbackModel || errors.systemPrompt || errors.temperature || errors.maxTokens || errors.position,
  )
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
        <Controller
          control={control}
          name="fallbackModel"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <StepFallbackField
              model={values.model}
              value={value}
              error={errors.fallbackModel?.message}
              onChange={onChange}
              onBlur={onBlur}
              ref={ref}
            />
          )}
        />
        <Field label="System prompt" error={errors.systemPrompt?.message}>
          <Textarea
            rows={3}
            maxLength={SYSTEM_PROMPT_MAX}
            className="max-h-60"
            {...register('systemPrompt')}
          />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Field label="Temperature" hint="0 to 2" error={errors.temperature?.message}>
            <Input
              inputMode="decimal"
              autoComplete="off"
              placeholder="the model’s default"
              {...register('temperature')}
            />
          </Field>
          <Field label="Token limit" hint="of the answer" error={errors.maxTokens?.message}>
            <Input
              inputMode="numeric"
              autoComplete="off"
              placeholder="the model’s default"
              {...register('maxTokens')}
            />
          </Field>
          <Field label="Position" hint="steps run from the smallest" error={errors.position?.message}>
            <Input inputMode="numeric" autoComplete="off" placeholder="0" {...register('position')} />
          </Field>
        </div>
      </CollapsibleContent>
    </Collapsible>
  )
}
