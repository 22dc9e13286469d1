import { createModelRequest, MODEL_ALIAS_MAX, type ModelProvider } from '@catenary/contracts'
import { CircleAlertIcon, XIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { isEscape } from '../../../lib/keyboard/pressed.ts'
import { type FieldErrors, fieldErrors, refusalErrors } from './form-values.ts'
import { FoundModelsOf } from './found-models.tsx'
import { useCreateModel } from './models.queries.ts'
import { focusAtOnce } from './provider-key-form.tsx'

interface AddModelFormProps {
  provider: ModelProvider
  /** It is there, and wants its first test. */
  onAdded: (alias: string) => void
  onClose: () => void
}

export function AddModelForm({ provider, onAdded, onClose }: AddModelFormProps) {
  const [model, setModel] = useState({ alias: '', label: '', modelId: '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const create = useCreateModel()
  const change = (part: Partial<typeof model>) => {
    setModel({ ...model, ...part })
    setErrors({})
  }
  const submit = async () => {
    const wanted = { ...model, label: model.label || model.alias, providerId: provider.id }
    const parsed = createModelRequest.safeParse(wanted)
    if (!parsed.success) {
      const { label, ...refused } = fieldErrors(parsed.error)
      // An empty one is the alias, which says so itself.
      return setErrors(label === undefined || model.label === '' ? refused : { ...refused, label })
    }
    const { alias } = await create.mutateAsync(parsed.data)
    onAdded(alias)
    onClose()
  }
  return (
    <form
      noValidate
      aria-label={`Add model of ${provider.name}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        void submit().catch((refusal: unknown) => setErrors(refusalErrors(refusal)))
      }}
      onKeyDown={(event) => {
        if (!isEscape(event) || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
      className="grid gap-3 border-t border-line bg-accent-soft px-3.5 py-3"
    >
      <div className="flex items-start gap-3">
        <p className="min-w-0 flex-1 text-sm text-text-2">
          <strong className="mr-2 font-semibold text-text">Add model</strong>
          to {provider.name}
        </p>
        <Button variant="ghost" size="icon-sm" aria-label="Close the form" onClick={onClose}>
          <XIcon />
        </Button>
      </div>
      {create.error && (
        <Banner variant="danger" role="alert" icon={<CircleAlertIcon />}>
          {errorReason(create.error)}
        </Banner>
      )}
      <div className="grid items-start gap-3 @min-[560px]:grid-cols-2 @min-[900px]:grid-cols-[1fr_1fr_1.5fr_auto]">
        <Field label="Alias" hint="Lowercase. Can’t be changed later." error={errors.alias}>
          <Input
            ref={focusAtOnce}
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
        <FoundModelsOf
          provider={provider}
          value={model.modelId}
          error={errors.modelId}
          onChange={(modelId) => change({ modelId })}
        />
        <Button type="submit" pending={create.isPending} className="@min-[900px]:mt-6">
          Test and add
        </Button>
      </div>
    </form>
  )
}
