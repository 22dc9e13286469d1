import { entryName, type Group, NAME_MAX } from '@catenary/contracts'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import { peopleText } from './group-texts.ts'
import { useCreateGroup, useDeleteGroup, useUpdateGroup } from './groups.queries.ts'

interface CreateGroupDialogProps {
  onCreated: (group: Group) => void
  onClose: () => void
}

export function CreateGroupDialog({ onCreated, onClose }: CreateGroupDialogProps) {
  const create = useCreateGroup()
  return (
    <NameDialog
      title="New group"
      description="You’ll be its first member and leader. You can add people afterwards."
      submitLabel="Create"
      before=""
      isPending={create.isPending}
      onSubmit={(name, refuse) =>
        create.mutate(
          { name },
          {
            onSuccess: (group) => {
              toast({ title: 'Group created', description: `You can now add people to “${group.name}”.` })
              onCreated(group)
            },
            onError: refuse,
          },
        )
      }
      onClose={onClose}
    />
  )
}

interface GroupDialogProps {
  group: Group
  onClose: () => void
}

export function RenameGroupDialog({ group: { id, name: before }, onClose }: GroupDialogProps) {
  const update = useUpdateGroup()
  return (
    <NameDialog
      title="Rename group"
      submitLabel="Rename"
      before={before}
      isPending={update.isPending}
      onSubmit={(name, refuse) => {
        if (name === before) return onClose()
        return update.mutate(
          { id, name },
          {
            onSuccess: (group) => {
              toast({ title: 'Renamed', description: `“${before}” is now “${group.name}”.` })
              onClose()
            },
            onError: refuse,
          },
        )
      }}
      onClose={onClose}
    />
  )
}

interface NameDialogProps {
  title: string
  description?: string
  submitLabel: string
  before: string
  isPending: boolean
  onSubmit: (name: string, refuse: (error: unknown) => void) => void
  onClose: () => void
}

function NameDialog({ before, isPending, onSubmit, onClose, ...texts }: NameDialogProps) {
  const [name, setName] = useState(before)
  const [refusal, setRefusal] = useState<string>()
  const submit = () => {
    const parsed = entryName.safeParse(name)
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    return onSubmit(parsed.data, (error) => setRefusal(errorReason(error)))
  }
  return (
    <FormDialog
      onClose={onClose}
      {...texts}
      pending={isPending}
      dirty={name !== before}
      className="max-w-[420px]"
      onSubmit={submit}
    >
      <Field label="Name" error={refusal}>
        <Input
          value={name}
          maxLength={NAME_MAX}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}

export function DeleteGroupDialog({
  group: { id, name, memberCount, shareCount },
  onDeleted,
  onClose,
}: GroupDialogProps & { onDeleted: () => void }) {
  const remove = useDeleteGroup()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${name}”?`}
      description={`What is shared only with this group (${sharesText(shareCount)}) is lost at once to ${peopleText(memberCount)}. Nothing else is deleted. This can’t be undone.`}
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            toast({ title: `The group “${name}” was deleted` })
            onDeleted()
          },
          onError: toastFailure('Failed to delete the group', errorReason),
          onSettled: onClose,
        })
      }
    />
  )
}

function sharesText(count: number): string {
  if (count === 0) return 'nothing'
  return count === 1 ? '1 prompt or chain' : `${count.toLocaleString('en')} prompts and chains`
}
