import { SYSTEM_PROMPT_MAX } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import type { StepForm, StepFormInput } from './step-form.ts'

/** What most steps leave as it is; open where one of it is set or refused. */
export function StepAdvanced({
  form: { register, formState },
  values,
}: {
  form: UseFormReturn<StepFormInput, unknown, StepForm>
  values: StepFormInput
}) {
  const { errors } = formState
  const [isOpened, setIsOpened] = useState(
    () => values.systemPrompt !== '' || values.temperature !== '' || values.maxTokens !== '',
  )
  const isRefused = Boolean(errors.systemPrompt || errors.temperature || errors.maxTokens || errors.position)
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
              placeholder="the model’s own"
              {...register('temperature')}
            />
          </Field>
          <Field label="Token limit" hint="of the answer" error={errors.maxTokens?.message}>
            <Input
              inputMode="numeric"
              autoComplete="off"
              placeholder="the model’s own"
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
