import { type ModelProvider, PROVIDER_NAME_MAX, updateProviderRequest } from '@catenary/contracts'
import { TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { type FieldErrors, fieldErrors, refusalErrors } from './form-values.ts'
import { useUpdateProvider } from './models.queries.ts'
import { PrivateAddressField } from './provider-key-form.tsx'

export function EditProviderDialog({ provider, onClose }: { provider: ModelProvider; onClose: () => void }) {
  const { id, name, baseUrl, allowsPrivateAddress, keyEnd } = provider
  const before = { name, baseUrl: baseUrl ?? '', allowsPrivateAddress }
  const [drafts, setDrafts] = useState(before)
  const [errors, setErrors] = useState<FieldErrors>({})
  const update = useUpdateProvider(id)
  const isDirty = JSON.stringify(drafts) !== JSON.stringify(before)
  const change = (part: Partial<typeof before>) => {
    setDrafts({ ...drafts, ...part })
    setErrors({})
  }
  const submit = () => {
    if (!isDirty) return onClose()
    const parsed = updateProviderRequest.safeParse(drafts)
    if (!parsed.success) return setErrors(fieldErrors(parsed.error))
    return update.mutate(parsed.data, {
      onSuccess: () => {
        toast({ title: 'Provider saved' })
        onClose()
      },
      onError: (error) => setErrors(refusalErrors(error)),
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit ${name}`}
      submitLabel="Save"
      pending={update.isPending}
      dirty={isDirty}
      error={update.error && errorReason(update.error)}
      onSubmit={submit}
    >
      <Field label="Name" error={errors.name}>
        <Input
          autoComplete="off"
          maxLength={PROVIDER_NAME_MAX}
          value={drafts.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label="Address" error={errors.baseUrl}>
        <Input
          type="url"
          autoComplete="off"
          spellCheck={false}
          value={drafts.baseUrl}
          onChange={(event) => change({ baseUrl: event.target.value })}
          className="font-mono text-xs"
        />
      </Field>
      {keyEnd !== null && isElsewhere(before.baseUrl, drafts.baseUrl) && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          The key belongs to the old address, so it is deleted when you save. Then add one for the new
          address.
        </Banner>
      )}
      <PrivateAddressField
        checked={drafts.allowsPrivateAddress}
        onChange={(allowsPrivateAddress) => change({ allowsPrivateAddress })}
      />
    </FormDialog>
  )
}

const isElsewhere = (before: string, now: string) => {
  const [from, to] = [URL.parse(before), URL.parse(now)]
  return from !== null && to !== null && from.origin !== to.origin
}
