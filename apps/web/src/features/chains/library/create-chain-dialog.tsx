import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { DraftFormDialog } from '../../../components/draft-form-dialog.tsx'
import { SwitchField } from '../../../components/switch-field.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { readDraft } from '../../../lib/draft.ts'
import { useFormDraft } from '../../../lib/form-draft.ts'
import { toast } from '../../../lib/toast.ts'
import { type NewChainForm, newChainDraft, newChainForm } from '../chain-form.ts'
import { useCreateChain } from '../chains.queries.ts'
import { showFormFailure } from '../form-failure.ts'

export interface CreateChainDialogProps {
  /** What the name begins with. */
  name: string
  userId: number
  onClose: () => void
}

/** Create New Chain. */
export function CreateChainDialog({ name, userId, onClose }: CreateChainDialogProps) {
  const draftKey = `chain.${userId}.new`
  const [draft] = useState(() => readDraft({ key: draftKey, schema: newChainDraft }))
  const { mutateAsync: create } = useCreateChain()
  const form = useForm<NewChainForm>({
    resolver: zodResolver(newChainForm),
    defaultValues: { name, description: '', isPublic: false },
  })
  const { control, register, formState } = form
  const { errors, isDirty, isSubmitting } = formState
  const values = useWatch({ control })
  const kept = useFormDraft({ key: draftKey, form, restored: draft ?? undefined, kept: values })

  const close = () => {
    kept.discard()
    onClose()
  }
  const submit = form.handleSubmit(async ({ isPublic, ...fields }) => {
    if (isSubmitting) return
    try {
      await create({ ...fields, sharedLevel: isPublic ? 'public' : 'private' })
      toast({ title: 'Chain created', description: 'Your chain has been created successfully.' })
      close()
    } catch (error) {
      showFormFailure({ title: 'Error', error })
    }
  })
  return (
    <DraftFormDialog
      title="Create New Chain"
      submitLabel="Create Chain"
      pendingLabel="Creating..."
      pending={isSubmitting}
      dirty={isDirty}
      onSubmit={submit}
      draft={{
        ...kept,
        onDiscard() {
          form.reset()
          kept.leave()
        },
      }}
      onClose={close}
    >
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <Field label="Description" error={errors.description?.message}>
        <Textarea rows={3} className="max-h-60" {...register('description')} />
      </Field>
      <Controller
        control={control}
        name="isPublic"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label={value ? 'Public: everyone can see and run it' : 'Private: only you can see it'}
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </DraftFormDialog>
  )
}
