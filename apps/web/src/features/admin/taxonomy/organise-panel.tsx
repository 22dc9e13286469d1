import { NAME_MAX, renameEntryRequest, type TaxonomyKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { MergeIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { SettingsPanel, SettingsPart } from '../../../components/settings-panel.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { ProtectedLabels } from '../labels/protected-labels.tsx'
import { SearchedRows } from '../searched-rows.tsx'
import type { EntryDialogProps } from './entry-dialog.ts'
import { MergeEntryDialog } from './merge-entry-dialog.tsx'
import { taxonomyQuery, useDeleteEntry, useRenameEntry } from './taxonomy.queries.ts'
import { TAXONOMY_TEXTS, usesText } from './taxonomy-texts.ts'

const KINDS: readonly TaxonomyKind[] = ['category', 'prompt', 'variable', 'chain']

export default function OrganisePanel() {
  return (
    <SettingsPanel title="Tags and labels">
      <Taxonomy />
      <ProtectedLabels />
    </SettingsPanel>
  )
}

function Taxonomy() {
  const [kind, setKind] = useState<TaxonomyKind>('category')
  const texts = TAXONOMY_TEXTS[kind]
  const { data: labels, error, refetch } = useQuery(taxonomyQuery(kind))
  return (
    <SettingsPart
      title="Categories and tags"
      description="Everyone shares them, so a change applies everywhere."
    >
      <SegmentedControl
        aria-label="Kind"
        value={kind}
        onValueChange={setKind}
        className="justify-self-start max-md:grid max-md:w-full max-md:grid-cols-2"
      >
        {KINDS.map((one) => (
          <SegmentedControlItem key={one} value={one}>
            {TAXONOMY_TEXTS[one].title}
          </SegmentedControlItem>
        ))}
      </SegmentedControl>
      {labels ? (
        <SearchedRows
          key={kind}
          label={texts.plural}
          searchLabel={texts.searchLabel}
          placeholder="Search by name"
          items={labels}
          textOf={({ name }) => name}
          renderRow={(entry) => <EntryRow key={entry.id} kind={kind} entry={entry} others={labels} />}
          countText={(count) => `${count} ${count === 1 ? texts.singular : texts.plural.toLowerCase()}`}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-60" />
      )}
    </SettingsPart>
  )
}

const DIALOGS = { rename: RenameEntryDialog, merge: MergeEntryDialog, delete: DeleteEntryDialog }

function EntryRow({ kind, entry, others }: Omit<EntryDialogProps, 'onClose'>) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = opened && DIALOGS[opened]
  return (
    <li className="flex items-center gap-2 py-1.5 pr-2 pl-3.5">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="text-sm font-medium wrap-anywhere">
          {entry.name}
        </p>
        {entry.sameAs && (
          <p className="text-xs text-text-3 wrap-anywhere">
            Looks the same as the older “{entry.sameAs.name}”. Rename it, or merge it into that one.
          </p>
        )}
      </div>
      <p className="text-xs whitespace-nowrap text-text-3">{usesText(kind, entry.uses)}</p>
      <MoreMenu of={entry.name}>
        <DropdownMenuItem onSelect={() => setOpened('rename')}>
          <PencilIcon />
          Rename
        </DropdownMenuItem>
        <DropdownMenuItem disabled={others.length < 2} onSelect={() => setOpened('merge')}>
          <MergeIcon />
          Merge into another
        </DropdownMenuItem>
        <DropdownMenuItem variant="destructive" onSelect={() => setOpened('delete')}>
          <Trash2Icon />
          Delete
        </DropdownMenuItem>
      </MoreMenu>
      {Dialog && <Dialog kind={kind} entry={entry} others={others} onClose={() => setOpened(null)} />}
    </li>
  )
}

function DeleteEntryDialog({ kind, entry, onClose }: EntryDialogProps) {
  const { mutate, isPending } = useDeleteEntry()
  const { singular } = TAXONOMY_TEXTS[kind]
  const loss =
    kind === 'category'
      ? 'Only a category without prompts can be deleted. Merge it into another one to move its prompts.'
      : `It is removed from everything that has it (${usesText(kind, entry.uses)}). Nothing else changes.`
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${entry.name}”?`}
      description={`${loss} This can’t be undone.`}
      pending={isPending}
      onConfirm={() =>
        mutate(
          { kind, entry },
          {
            onSuccess: () => toast({ title: `The ${singular} “${entry.name}” was deleted` }),
            onError: toastFailure(`Failed to delete the ${singular}`, errorReason),
            onSettled: onClose,
          },
        )
      }
    />
  )
}

function RenameEntryDialog({ kind, entry, onClose }: EntryDialogProps) {
  const { singular } = TAXONOMY_TEXTS[kind]
  const [name, setName] = useState(entry.name)
  const [refusal, setRefusal] = useState<string>()
  const rename = useRenameEntry()
  const submit = () => {
    const parsed = renameEntryRequest.safeParse({ name })
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    if (parsed.data.name === entry.name) return onClose()
    return rename.mutate(
      { kind, entry, ...parsed.data },
      {
        onSuccess: ({ name }) => {
          toast({ title: 'Renamed', description: `“${entry.name}” is now “${name}”.` })
          onClose()
        },
        onError: (error) => setRefusal(errorReason(error)),
      },
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Rename ${singular}`}
      submitLabel="Rename"
      pending={rename.isPending}
      dirty={name !== entry.name}
      className="max-w-[420px]"
      onSubmit={submit}
    >
      <Field label="Name" error={refusal} hint="If the name is taken, merge the two instead.">
        <Input value={name} maxLength={NAME_MAX} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
