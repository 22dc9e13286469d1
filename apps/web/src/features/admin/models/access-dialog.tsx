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
import { usersQuery } from '../admin.queries.ts'
import { useSetModelList, useUpdateModels } from './models.queries.ts'

/** Whose list it is: everyone's, a person's, or that of someone still to be chosen. */
export type AccessSubject =
  | { who: 'everyone' }
  | { who: 'new' }
  | { who: 'person'; person: ModelAccess['people'][number] }

interface AccessDialogProps {
  subject: AccessSubject
  access: ModelAccess
  models: readonly ManagedModel[]
  onClose: () => void
}

export function AccessDialog({ subject, access, models, onClose }: AccessDialogProps) {
  const before = subject.who === 'person' ? subject.person.modelIds : access.everyone
  const [chosen, setChosen] = useState(before)
  const [userId, setUserId] = useState(subject.who === 'person' ? subject.person.userId : null)
  const [refusal, setRefusal] = useState<string>()
  const update = useUpdateModels()
  const setList = useSetModelList()
  const isDirty = userId !== null && subject.who === 'new' ? true : !isSame(chosen, before)
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
    if (userId === null) return setRefusal('Choose a person')
    return setList.mutate({ userId, modelIds: chosen }, done)
  }
  const error = update.error ?? setList.error
  return (
    <FormDialog
      onClose={onClose}
      title={titleOf(subject)}
      description={
        subject.who === 'everyone'
          ? 'People without their own list can use these. Admins can use all models.'
          : 'Replaces everyone’s list for this person.'
      }
      submitLabel="Save"
      pending={update.isPending || setList.isPending}
      dirty={isDirty}
      error={error && errorReason(error)}
      footerStart={
        subject.who === 'person' && (
          <Button
            variant="ghost"
            disabled={setList.isPending}
            onClick={() => setList.mutate({ userId: subject.person.userId, modelIds: null }, done)}
          >
            Use everyone’s list
          </Button>
        )
      }
      className="max-w-[480px]"
      onSubmit={submit}
    >
      {subject.who === 'new' && (
        <PersonField
          value={userId}
          error={refusal}
          known={access.people.map((person) => person.userId)}
          onChange={(id) => {
            setUserId(id)
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

interface PersonFieldProps {
  value: number | null
  error: string | undefined
  /** Who has a list already. */
  known: readonly number[]
  onChange: (id: number) => void
}

function PersonField({ value, error, known, onChange }: PersonFieldProps) {
  const { data: users = [], error: failure } = useQuery(usersQuery)
  const people = users.filter(({ id, role }) => role !== 'admin' && !known.includes(id))
  const byId = (id: string) => people.find((user) => String(user.id) === id)
  return (
    <Field label="Person" error={failure ? errorReason(failure) : error}>
      <SearchPicker
        label="People"
        placeholder="Search by name or email"
        nothingFound="Everyone else already has a list"
        value={value === null ? '' : String(value)}
        find={(search) =>
          people
            .filter(({ username, email }) => isFound(`${username}\n${email}`, search))
            .map(({ id }) => String(id))
        }
        describe={(id) => ({ title: byId(id)?.username ?? 'Choose', hint: byId(id)?.email ?? '' })}
        onChange={(id) => onChange(Number(id))}
      />
    </Field>
  )
}

function titleOf(subject: AccessSubject): string {
  if (subject.who === 'everyone') return 'Everyone’s models'
  return subject.who === 'new' ? 'Their own list' : `Models of ${subject.person.username}`
}

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id))
