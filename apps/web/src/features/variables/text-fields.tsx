import { ALLOWED_VALUES_MAX } from '@catenary/contracts'
import { ListIcon } from 'lucide-react'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FocusTarget } from '../../components/focus-target.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { linesOf } from './allowed-lines.ts'
import type { VariableForm } from './variable-fields.tsx'

export function TextFields({ form }: { form: UseFormReturn<VariableForm> }) {
  const { control, register, formState, setValue, watch } = form
  const allowed = watch('allowedValues')
  const [isListAsked, setIsListAsked] = useState(false)
  const isListed = isListAsked || allowed !== ''
  const choices = [...new Set(linesOf(allowed))]
  const dropList = () => {
    setIsListAsked(false)
    setValue('allowedValues', '', { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }
  return (
    <>
      <Field
        label="Content"
        error={formState.errors.content?.message}
        action={
          !isListed && (
            <Button
              variant="link"
              className="text-xs font-normal text-text-2"
              onClick={() => setIsListAsked(true)}
            >
              <ListIcon />
              Limit to a list of values
            </Button>
          )
        }
      >
        {choices.length > 0 ? (
          <Controller
            control={control}
            name="content"
            render={({ field: { ref, value, onChange } }) => (
              <FocusTarget ref={ref} selector="button">
                <ChoiceSelect
                  choices={choices.map((choice) => ({ value: choice, label: choice }))}
                  value={choices.includes(value) ? value : ''}
                  onChange={onChange}
                  placeholder="Choose the default value"
                />
              </FocusTarget>
            )}
          />
        ) : (
          <Textarea rows={5} className="prompt-text max-h-[40vh] min-h-28" {...register('content')} />
        )}
      </Field>
      {isListed && (
        <Field
          label="Allowed values"
          hint={`One per line, at most ${ALLOWED_VALUES_MAX}. The person who runs the prompt chooses one.`}
          error={formState.errors.allowedValues?.message}
          action={
            <Button variant="link" className="text-xs font-normal text-text-2" onClick={dropList}>
              Allow any value
            </Button>
          }
        >
          <Textarea
            rows={4}
            autoFocus={isListAsked}
            placeholder={'warm\nneutral\nformal'}
            className="prompt-text max-h-60 min-h-24"
            {...register('allowedValues')}
          />
        </Field>
      )}
    </>
  )
}
