import { type ModelProvider, updateProviderRequest } from '@catenary/contracts'
import { TriangleAlertIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useReplaceKey, useUpdateProvider } from './models.queries.ts'
import { maskedEnd } from './provider-facts.tsx'

const KEEP = 'keep'

/** Gives a provider its first key, or a new one, which is tried before the old one goes. */
export function KeyDialog({ provider, onClose }: { provider: ModelProvider; onClose: () => void }) {
  const { id, name, keyEnd, newKeyEnd } = provider
  const [key, setKey] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const update = useUpdateProvider(id)
  const replace = useReplaceKey(id)
  const isFirst = keyEnd === null
  /** The provider did not take the key that waits, and no other one was typed since. */
  const isRefused = replace.data?.ok === false && key === ''
  const done = (title: string) => {
    toast({ title })
    onClose()
  }
  const swap = async () => {
    const { ok } = await replace.mutateAsync(isRefused)
    if (ok) done(`${name} has its new key`)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const keeps = submitter instanceof HTMLButtonElement && submitter.value === KEEP
    if (key !== '' || newKeyEnd === null) {
      const parsed = updateProviderRequest.required({ apiKey: true }).safeParse({ apiKey: key })
      if (!parsed.success) return setRefusal(key === '' ? 'Key is required' : parsed.error.issues[0]?.message)
      await update.mutateAsync(parsed.data)
      setKey('')
      if (isFirst) return done(`${name} has a key`)
    }
    return keeps ? done('New key saved, not in use yet') : swap()
  }
  const error = update.error ?? replace.error
  return (
    <FormDialog
      onClose={onClose}
      title={isFirst ? `Key of ${name}` : `Replace the key of ${name}`}
      description={
        isFirst
          ? 'It is encrypted when saved. From then on only its last four characters are shown.'
          : 'The new key is tested first. The old one is deleted once the new one replaces it.'
      }
      submitLabel={isFirst ? 'Save' : isRefused ? 'Replace anyway' : 'Test and replace'}
      alsoSubmit={isFirst || isRefused ? undefined : { label: 'Save for later', value: KEEP }}
      pending={update.isPending || replace.isPending}
      dirty={key !== ''}
      error={error && errorReason(error)}
      onSubmit={(event) => submit(event).catch(() => undefined)}
    >
      {isRefused && (
        <Banner role="alert" icon={<TriangleAlertIcon />}>
          {name} rejected the new key: {replace.data?.error} It is saved, and the old one stays in use.
        </Banner>
      )}
      <Field
        label={newKeyEnd === null ? 'New key' : 'Another new key'}
        hint={newKeyEnd === null ? undefined : `Leave empty to use the saved one, ${maskedEnd(newKeyEnd)}`}
        error={refusal}
      >
        <Input
          type="password"
          autoComplete="new-password"
          value={key}
          onChange={(event) => {
            setKey(event.target.value)
            setRefusal(undefined)
          }}
        />
      </Field>
    </FormDialog>
  )
}
