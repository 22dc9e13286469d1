import { MORE_FALLBACKS_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { useModelChoices, useModels } from './models.ts'
import { PlaceActions } from './place-actions.tsx'
import type { SettingsForm } from './settings-value.ts'

/** A select needs a value. */
const NONE = 'none'

export interface FallbackModelsProps {
  form: SettingsForm
  /** The one that is asked first; null: none is chosen. */
  model: string | null
}

/** The models that answer, in this order, when the one before has failed for good. */
export function FallbackModels({ form, model }: FallbackModelsProps) {
  const [first, more] = useWatch({ control: form.control, name: ['fallbackModel', 'moreFallbackModels'] })
  const { errors, isSubmitted } = form.formState
  const list = first === null ? more : [first, ...more]
  const change = ([first, ...more]: string[]) => {
    const options = { shouldDirty: true, shouldValidate: isSubmitted }
    form.setValue('fallbackModel', first ?? null, options)
    form.setValue('moreFallbackModels', more, options)
  }
  const free = useModels().find(({ alias }) => alias !== model && !list.includes(alias))
  const places = list.length === 0 ? [null] : list
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <ol aria-label="Fallback models" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {places.map((alias, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a model is known by its place alone.
          <li key={index}>
            <FallbackModel
              index={index}
              value={alias}
              model={model}
              others={list.toSpliced(index, 1)}
              isAskedBefore={list.slice(0, index).includes(alias ?? '')}
              error={errorAt({ errors, index })}
              onChange={(next) => change(list.toSpliced(index, 1, ...(next === null ? [] : [next])))}
              actions={
                list.length > 1 && (
                  <PlaceActions
                    name={`fallback model ${index + 1}`}
                    index={index}
                    count={list.length}
                    onMove={(to) => change(list.toSpliced(index, 1).toSpliced(to, 0, list[index] ?? ''))}
                    onRemove={() => change(list.toSpliced(index, 1))}
                  />
                )
              }
            />
          </li>
        ))}
      </ol>
      {list.length > 0 && list.length <= MORE_FALLBACKS_MAX && free && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => change([...list, free.alias])}
          className="-ml-1.5 justify-self-start px-1.5"
        >
          <PlusIcon />
          Add fallback model
        </Button>
      )}
    </div>
  )
}

function errorAt({
  errors,
  index,
}: {
  errors: SettingsForm['formState']['errors']
  index: number
}): string | undefined {
  if (index === 0) return errors.fallbackModel?.message ?? errors.moreFallbackModels?.message
  return errors.moreFallbackModels?.[index - 1]?.message
}

interface FallbackModelProps {
  index: number
  value: string | null
  model: string | null
  others: readonly string[]
  isAskedBefore: boolean
  error: string | undefined
  onChange: (model: string | null) => void
  actions: ReactNode
}

function FallbackModel({
  index,
  value,
  model,
  others,
  isAskedBefore,
  error,
  onChange,
  actions,
}: FallbackModelProps) {
  const offered = useModelChoices(value).filter(
    (one) => one.value === value || (one.value !== model && !others.includes(one.value)),
  )
  const none = index === 0 ? [{ value: NONE, label: 'None: the run fails' }] : []
  return (
    <Field
      label={index === 0 ? 'Fallback model' : `Fallback model ${index + 1}`}
      hint={hintOf({ index, isModel: value !== null && value === model, isAskedBefore })}
      error={error}
    >
      <div className="flex min-w-0 items-center gap-1">
        <div className="min-w-0 flex-1">
          <ChoiceSelect
            choices={[...none, ...offered]}
            value={value ?? NONE}
            onChange={(alias) => onChange(alias === NONE ? null : alias)}
          />
        </div>
        {actions}
      </div>
    </Field>
  )
}

function hintOf({
  index,
  isModel,
  isAskedBefore,
}: {
  index: number
  isModel: boolean
  isAskedBefore: boolean
}): string {
  if (isModel) return 'Same as the model above.'
  if (isAskedBefore) return 'Already in the list above.'
  return index === 0 ? 'Answers if the model fails.' : 'Answers if the ones above fail.'
}
