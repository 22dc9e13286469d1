import type { Chain, SharedLevel } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { ChoiceList, ChoiceListItem } from '../../components/ui/choice-list.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { VISIBILITY_LEVELS } from '../../lib/filters.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { SlugField } from '../library/slug-field.tsx'
import { FormTags } from '../library/tags/tag-input.tsx'
import { OwnerLine } from '../records/hand-overs/owner-line.tsx'
import { sharesQuery } from '../records/shares/shares.queries.ts'
import { SharesField } from '../records/shares/shares-field.tsx'
import { VersionNoteField } from '../records/versions/version-note-field.tsx'
import { ShareOwnRuns } from '../runs/share-own-runs.tsx'
import { AsksFirstField, ChainFields, RunsVisibleToField, StopFields } from './chain-fields.tsx'
import { VISIBILITIES } from './share-state.tsx'
import { type UseChainFormOptions, useChainForm } from './use-chain-form.ts'

interface EditChainDialogProps {
  chain: Chain
  userId: number
  onClose: () => void
}

export default function EditChainDialog(props: EditChainDialogProps) {
  const { chain, onClose } = props
  const { user, status } = useSession()
  const isOwner = user?.username === chain.owner
  const { data: shares, error } = useQuery({
    ...sharesQuery({ kind: 'chain', id: chain.id }),
    enabled: isOwner,
  })
  useEffect(() => {
    if (!error) return
    toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' })
    onClose()
  }, [error, onClose])
  if (status === 'loading') return null
  if (!isOwner) return <EditChainForm {...props} isOwner={false} shares={[]} />
  return shares ? <EditChainForm {...props} isOwner shares={shares} /> : null
}

function EditChainForm(options: UseChainFormOptions) {
  const { form, values, nextVersion, dialog, tagInput } = useChainForm(options)
  const { control, formState } = form
  return (
    <DraftFormDialog title="Edit Chain" submitLabel="Save Changes" pendingLabel="Saving..." {...dialog}>
      <ChainFields form={form} />
      {options.isOwner && (
        <Controller
          control={control}
          name="sharedLevel"
          render={({ field: { value, onChange } }) => <VisibilityField value={value} onChange={onChange} />}
        />
      )}
      {options.isOwner && values.sharedLevel === 'shared' && (
        <Controller
          control={control}
          name="shares"
          render={({ field: { value, onChange } }) => <SharesField value={value} onChange={onChange} />}
        />
      )}
      {options.isOwner && options.chain !== null && (
        <OwnerLine record={{ kind: 'chain', id: options.chain.id, name: options.chain.name }} />
      )}
      {options.isOwner && values.sharedLevel !== 'public' && <RunsVisibleToField form={form} />}
      {options.isOwner && options.chain !== null && values.sharedLevel !== 'private' && (
        <ShareOwnRuns record={{ kind: 'chain', id: options.chain.id }} />
      )}
      <FormTags
        control={control}
        name="tags"
        kind="chain"
        error={formState.errors.tags?.message}
        ref={tagInput}
      />
      <StopFields form={form} />
      <AsksFirstField form={form} />
      {nextVersion !== null && (
        <VersionNoteField
          version={nextVersion}
          error={formState.errors.note?.message}
          {...form.register('note')}
        />
      )}
      <SlugField
        kind="chain"
        stored={options.chain?.slug ?? ''}
        isOwn={options.isOwner}
        error={formState.errors.slug?.message}
        {...form.register('slug')}
      />
    </DraftFormDialog>
  )
}

function VisibilityField({
  value,
  onChange,
}: {
  value: SharedLevel
  onChange: (level: SharedLevel) => void
}) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium text-text-2">Visibility</legend>
      <ChoiceList
        aria-label="Visibility"
        value={value}
        onValueChange={(level) => onChange(level as SharedLevel)}
        className="grid-cols-3 gap-2 max-sm:grid-cols-1"
      >
        {VISIBILITY_LEVELS.map((level) => {
          const { label, description, Icon } = VISIBILITIES[level]
          return (
            <ChoiceListItem
              key={level}
              value={level}
              aria-label={`${label}: ${description}`}
              className="border border-line data-[state=checked]:border-accent/60"
            >
              <span className="flex items-center gap-1.5 text-sm font-medium">
                <Icon className="size-4 text-text-2" />
                {label}
              </span>
              <span className="text-xs text-text-2">{description}</span>
            </ChoiceListItem>
          )
        })}
      </ChoiceList>
    </fieldset>
  )
}
