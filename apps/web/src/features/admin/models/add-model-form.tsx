import {
  createModelRequest,
  createProviderRequest,
  listModelsRequest,
  MODEL_ALIAS_MAX,
  type ModelProvider,
  type ProviderKind,
} from '@catenary/contracts'
import { CircleAlertIcon, XIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { isEscape } from '../../../lib/keyboard/pressed.ts'
import { type FieldErrors, fieldErrors, refusalErrors } from './form-values.ts'
import { FoundModels, FoundModelsOf, foundOf } from './found-models.tsx'
import { useCreateModel, useCreateProvider, useListModels } from './models.queries.ts'
import { focusAtOnce, type ProviderDrafts, ProviderFields } from './provider-fields.tsx'

/** What a model is added to: a provider that is there, or a new one of a kind. */
export interface AddStart {
  kind: ProviderKind
  provider?: ModelProvider
}

interface AddModelFormProps {
  start: AddStart
  /** It is there, and wants its first test. */
  onAdded: (alias: string) => void
  onClose: () => void
}

/** Adds a model, and its provider where that is new. */
export function AddModelForm({ start, onAdded, onClose }: AddModelFormProps) {
  const [provider, setProvider] = useState(start.provider)
  const [place, setPlace] = useState<ProviderDrafts>(newProvider(start.kind))
  const [model, setModel] = useState({ alias: '', label: '', modelId: '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const createProvider = useCreateProvider()
  const createModel = useCreateModel()
  const listing = useListModels()
  const change = (part: Partial<typeof model>) => {
    setModel({ ...model, ...part })
    setErrors({})
  }
  const look = (drafts: ProviderDrafts) => {
    const { name: _, ...asked } = sentOf(drafts)
    const parsed = listModelsRequest.safeParse(asked)
    if (parsed.success && isEnough(drafts)) listing.mutate(parsed.data)
  }
  const changePlace = (part: Partial<ProviderDrafts>) => {
    const next = { ...place, ...part }
    setPlace(next)
    setErrors({})
    if (part.allowsPrivateAddress !== undefined || part.kind !== undefined) look(next)
  }
  /** Until there is a provider its id is one that any may have. */
  const modelOf = (providerId: number) =>
    createModelRequest.safeParse({ ...model, label: model.label || model.alias, providerId })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const parsedModel = modelOf(provider?.id ?? 1)
    const parsedPlace = createProviderRequest.safeParse(sentOf(place))
    const { label: ofLabel, ...refusedModel } = parsedModel.success ? {} : fieldErrors(parsedModel.error)
    const refused = {
      ...refusedModel,
      // An empty one is the alias, which says so itself.
      ...(ofLabel !== undefined && model.label !== '' && { label: ofLabel }),
      ...(provider ? {} : placeErrors(place)),
    }
    if (Object.keys(refused).length > 0 || !parsedModel.success) return setErrors(refused)
    const owner = provider ?? (parsedPlace.success && (await createProvider.mutateAsync(parsedPlace.data)))
    if (!owner) return
    // What is refused from here on is the model alone.
    setProvider(owner)
    const added = await createModel.mutateAsync({ ...parsedModel.data, providerId: owner.id })
    onAdded(added.alias)
    onClose()
  }
  const error = createProvider.error ?? createModel.error
  return (
    <form
      noValidate
      aria-label={provider ? `Add model of ${provider.name}` : 'Add provider'}
      onSubmit={(event) => void submit(event).catch((refusal: unknown) => setErrors(refusalErrors(refusal)))}
      onKeyDown={(event) => {
        if (!isEscape(event) || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
      className="grid gap-3 border-t border-line bg-accent-soft px-3.5 py-3"
    >
      <FormHead provider={provider} onClose={onClose} />
      {error && (
        <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
          {errorReason(error)}
        </Banner>
      )}
      {!provider && (
        <ProviderFields drafts={place} errors={errors} onChange={changePlace} onRest={() => look(place)} />
      )}
      <div className="grid items-start gap-3 @min-[560px]:grid-cols-2 @min-[900px]:grid-cols-[1fr_1fr_1.5fr_auto]">
        <Field label="Alias" hint="Small letters; it stays" error={errors.alias}>
          <Input
            ref={start.provider && focusAtOnce}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MODEL_ALIAS_MAX}
            placeholder="qwen"
            value={model.alias}
            onChange={(event) => change({ alias: event.target.value })}
            className="font-mono text-xs"
          />
        </Field>
        <Field label="Label" hint="Shown where models are chosen" error={errors.label}>
          <Input
            autoComplete="off"
            placeholder={model.alias || 'Qwen'}
            value={model.label}
            onChange={(event) => change({ label: event.target.value })}
          />
        </Field>
        {provider ? (
          <FoundModelsOf
            provider={provider}
            value={model.modelId}
            error={errors.modelId}
            onChange={(modelId) => change({ modelId })}
          />
        ) : (
          <FoundModels
            found={foundOf(listing)}
            value={model.modelId}
            error={errors.modelId}
            onChange={(modelId) => change({ modelId })}
          />
        )}
        <Button
          type="submit"
          pending={createProvider.isPending || createModel.isPending}
          className="@min-[900px]:mt-6"
        >
          Test and add
        </Button>
      </div>
    </form>
  )
}

function FormHead({ provider, onClose }: { provider: ModelProvider | undefined; onClose: () => void }) {
  return (
    <div className="flex items-start gap-3">
      <p className="min-w-0 flex-1 text-sm text-text-2">
        <strong className="mr-2 font-semibold text-text">{provider ? 'Add model' : 'Add provider'}</strong>
        {provider
          ? `to ${provider.name}`
          : 'A vendor, or Ollama, vLLM, LM Studio, OpenRouter: any address that speaks OpenAI’s language'}
      </p>
      <Button variant="ghost" size="icon-sm" aria-label="Close the form" onClick={onClose}>
        <XIcon />
      </Button>
    </div>
  )
}

const newProvider = (kind: ProviderKind): ProviderDrafts => ({
  kind,
  name: '',
  baseUrl: '',
  apiKey: '',
  allowsPrivateAddress: false,
})

/** Only a vendor has a usual address. */
function placeErrors(drafts: ProviderDrafts): FieldErrors {
  const { error } = createProviderRequest.safeParse(sentOf(drafts))
  const lacksAddress = drafts.kind === 'compatible' && drafts.baseUrl.trim() === ''
  return { ...(error && fieldErrors(error)), ...(lacksAddress && { baseUrl: 'Address is required' }) }
}

/** What is empty isn't sent. */
function sentOf({ name, baseUrl, apiKey, ...others }: ProviderDrafts) {
  return {
    ...others,
    name: name.trim(),
    baseUrl: baseUrl.trim() || undefined,
    apiKey: apiKey.trim() || undefined,
  }
}

/** A vendor is asked with a key, another server at its address. */
const isEnough = ({ kind, baseUrl, apiKey }: ProviderDrafts) =>
  (kind === 'compatible' ? baseUrl : apiKey).trim() !== ''
