import type { ModelProvider, ProviderModels } from '@catenary/contracts'
import { useEffect, useEffectEvent } from 'react'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { useListModels } from './models.queries.ts'

interface FoundModelsProps {
  value: string
  error: string | undefined
  onChange: (modelId: string) => void
}

export function FoundModelsOf({
  provider: { id },
  ...props
}: FoundModelsProps & { provider: ModelProvider }) {
  const listing = useListModels()
  const ask = useEffectEvent(() => listing.mutate(id))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another provider has other models.
  useEffect(() => ask(), [id])
  return <FoundModels {...props} found={foundOf(listing)} />
}

interface Found {
  isAsked: boolean
  isPending: boolean
  models: readonly string[]
  refusal: string | null
  address: string | null
}

function foundOf({
  data,
  error,
  isPending,
  isIdle,
}: Pick<ReturnType<typeof useListModels>, 'error' | 'isPending' | 'isIdle'> & {
  data: ProviderModels | undefined
}): Found {
  return {
    isAsked: !isIdle,
    isPending,
    models: data?.models ?? [],
    refusal: error ? errorReason(error) : (data?.error ?? null),
    address: data?.address ?? null,
  }
}

function FoundModels({ found, value, error, onChange }: FoundModelsProps & { found: Found }) {
  const { models } = found
  return (
    <Field
      label="Model"
      hint={
        <>
          <span role="status">{foundText(found, value)}</span>
          {found.address !== null && <span className="block wrap-anywhere">Asked: {found.address}</span>}
        </>
      }
      error={error}
    >
      <SearchPicker
        label="Models"
        placeholder="Search, or type its name"
        nothingFound="Type the provider’s name for the model"
        value={value}
        find={(search) => {
          const matches = models.filter((model) => model.toLowerCase().includes(search.toLowerCase()))
          return search === '' || models.includes(search) ? matches : [...matches, search]
        }}
        describe={(model) =>
          model === ''
            ? { title: 'Choose or type' }
            : { title: model, ...(models.length > 0 && !models.includes(model) && { hint: 'as typed' }) }
        }
        onChange={onChange}
      />
    </Field>
  )
}

/** Lists of vendors begin with what nobody looks for, so the count is told, not the first of them. */
function foundText({ isAsked, isPending, models, refusal }: Found, value: string): string {
  if (!isAsked) return ''
  if (isPending) return 'Looking for models…'
  if (refusal !== null) return `${refusal} Type the model’s name.`
  if (models.length === 0) return 'The provider lists no models. Type a name.'
  const isFound = models.includes(value)
  return isFound ? `One of ${models.length} models found` : `${models.length} models found`
}
