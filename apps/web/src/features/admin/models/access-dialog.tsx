import { isFound, type ManagedModel, type ModelAccess } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { groupText } from '../../groups/group-texts.ts'
import { groupsQuery } from '../../groups/groups.queries.ts'
import { usersQuery } from '../admin.queries.ts'
import { type ListOwner, useSetModelList, useUpdateModels } from './models.queries.ts'

/** Whose list it is: everyone's, a person's, a group's, or that of someone still to be chosen. */
export type AccessSubject =
  | { who: 'everyone' }
  | { who: 'new' }
  | { who: 'person'; person: ModelAccess['people'][number] }
  | { who: 'group'; group: ModelAccess['groups'][number] }

interface AccessDialogProps {
  subject: AccessSubject
  access: ModelAccess
  models: readonly ManagedModel[]
  onClose: () => void
}

export function AccessDialog({ subject, access, models, onClose }: AccessDialogProps) {
  const before = listOf(subject) ?? access.everyone
  const [chosen, setChosen] = useState(before)
  const [owner, setOwner] = useState(ownerOf(subject))
  const [refusal, setRefusal] = useState<string>()
  const update = useUpdateModels()
  const setList = useSetModelList()
  const isDirty = (owner !== null && subject.who === 'new') || !isSame(chosen, before)
  const done = {
    onSuccess: () => {
      toast({ title: 'Saved', description: 'Applies from the next run.' })
      onClose()
    },
  }
  const submit = () => {
    if (subject.who === 'everyone') {
      const changed = models.filter(({ id }) => chosen.includes(id) !== before.includes(id))
      return update.mutate(
        changed.map(({ id }) => ({ id, isForEveryone: chosen.includes(id) })),
        done,
      )
    }
    if (owner === null) return setRefusal('Choose a person or a group')
    return setList.mutate({ of: owner, modelIds: chosen }, done)
  }
  const error = update.error ?? setList.error
  return (
    <FormDialog
      onClose={onClose}
      title={titleOf(subject)}
      description={subject.who === 'new' ? describe(owner) : DESCRIPTIONS[subject.who]}
      submitLabel="Save"
      pending={update.isPending || setList.isPending}
      dirty={isDirty}
      error={error && errorReason(error)}
      footerStart={
        (subject.who === 'person' || subject.who === 'group') &&
        owner && (
          <Button
            variant="ghost"
            disabled={setList.isPending}
            onClick={() => setList.mutate({ of: owner, modelIds: null }, done)}
          >
            {subject.who === 'person' ? 'Use everyone’s list' : 'Remove list'}
          </Button>
        )
      }
      className="max-w-[480px]"
      onSubmit={submit}
    >
      {subject.who === 'new' && (
        <OwnerField
          value={owner}
          error={refusal}
          access={access}
          onChange={(chosen) => {
            setOwner(chosen)
            setRefusal(undefined)
          }}
        />
      )}
      <fieldset className="grid gap-2.5 pointer-coarse:gap-6">
        <legend className="sr-only">Models</legend>
        {models.map(({ id, alias, label }) => (
          <SwitchField
            key={id}
            label={
              <>
                <code>{alias}</code>
                {label.toLowerCase() !== alias && <span className="ml-2 text-text-3">{label}</span>}
              </>
            }
            checked={chosen.includes(id)}
            onChange={(may) => setChosen(may ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

interface OwnerFieldProps {
  value: ListOwner | null
  error: string | undefined
  /** Who has a list already can't be chosen. */
  access: ModelAccess
  onChange: (owner: ListOwner) => void
}

interface Choice {
  owner: ListOwner
  title: string
  hint: string
}

function OwnerField({ value, error, access, onChange }: OwnerFieldProps) {
  const { data: users = [], error: failure } = useQuery(usersQuery)
  const { data: groups = [] } = useQuery(groupsQuery)
  const withList = [
    ...access.people.map(({ userId }) => keyOf({ userId })),
    ...access.groups.map(({ groupId }) => keyOf({ groupId })),
  ]
  const people = users.filter(({ role }) => role !== 'admin')
  const all: Choice[] = [
    ...groups.map((group) => ({
      owner: { groupId: group.id },
      title: group.name,
      hint: groupText(group),
    })),
    ...people.map(({ id, username, email }) => ({ owner: { userId: id }, title: username, hint: email })),
  ]
  const choices = new Map(all.map((choice) => [keyOf(choice.owner), choice]))
  return (
    <Field label="Person or group" error={failure ? errorReason(failure) : error}>
      <SearchPicker
        label="People and groups"
        placeholder="Search by name or email"
        nothingFound="Everyone else already has a list"
        value={value === null ? '' : keyOf(value)}
        find={(search) =>
          [...choices].flatMap(([key, { title, hint }]) =>
            !withList.includes(key) && isFound(`${title}\n${hint}`, search) ? key : [],
          )
        }
        describe={(key) => choices.get(key) ?? { title: 'Choose', hint: '' }}
        onChange={(key) => {
          const chosen = choices.get(key)
          if (chosen) onChange(chosen.owner)
        }}
      />
    </Field>
  )
}

const keyOf = (owner: ListOwner): string =>
  'userId' in owner ? `person ${owner.userId}` : `group ${owner.groupId}`

const DESCRIPTIONS = {
  everyone: 'People without their own list can use these. Admins can use all models.',
  person: 'Replaces everyone’s list for this person.',
  group: 'Its members can use these as well as everyone’s, unless they have their own list.',
}

function describe(owner: ListOwner | null): string {
  if (owner === null) return 'A person’s list replaces everyone’s. A group’s list adds to it.'
  return 'userId' in owner ? DESCRIPTIONS.person : DESCRIPTIONS.group
}

function ownerOf(subject: AccessSubject): ListOwner | null {
  if (subject.who === 'person') return { userId: subject.person.userId }
  return subject.who === 'group' ? { groupId: subject.group.groupId } : null
}

function listOf(subject: AccessSubject): number[] | undefined {
  if (subject.who === 'person') return subject.person.modelIds
  return subject.who === 'group' ? subject.group.modelIds : undefined
}

function titleOf(subject: AccessSubject): string {
  if (subject.who === 'everyone') return 'Everyone’s models'
  if (subject.who === 'new') return 'Their own list'
  return `Models of ${subject.who === 'person' ? subject.person.username : subject.group.name}`
}

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id))
