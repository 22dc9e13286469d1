import { ASK_QUESTION_MAX } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { UserRoundIcon, UsersIcon } from 'lucide-react'
import { Controller, useWatch } from 'react-hook-form'
import { FocusTarget } from '../../../../components/focus-target.tsx'
import { FormSwitch } from '../../../../components/forms/form-switch.tsx'
import { FormEditor } from '../../../../components/prompt-editor/form-editor.tsx'
import { RemoveButton } from '../../../../components/remove-button.tsx'
import { ChoiceSelect } from '../../../../components/ui/choice-select.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { NumberInput } from '../../../../components/ui/number-input.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { groupsQuery } from '../../../groups/groups.queries.ts'
import { PeopleSearch } from '../../../groups/people-search.tsx'
import { sharesQuery } from '../../../records/shares/shares.queries.ts'
import type { KindFieldsProps } from '../kind-form.ts'
import { OutputNameField } from '../output-name-field.tsx'
import { type AskInput, askedOf } from './ask-form.ts'
import { ChoiceFields } from './choice-fields.tsx'
import { answerersProblem, asksOthers, isBeforeTool } from './who-could-answer.ts'

/** Of a step that asks people: what, whom, and what their answers do. */
export function AskFields({ form, values, chain, step, templates }: KindFieldsProps) {
  const { control, register, formState, setValue, trigger } = form
  const { errors } = formState
  const choices = useWatch({ control, name: 'choices' })
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Title" error={errors.title?.message}>
          <Input autoComplete="off" {...register('title')} />
        </Field>
        <OutputNameField
          field={register('outputVariableName')}
          value={values.outputVariableName}
          error={errors.outputVariableName?.message}
          part=".decision"
        />
      </div>
      <Field
        label="Question"
        hint="One line, as it is. It’s also sent by email."
        error={errors.question?.message}
      >
        <Input
          autoComplete="off"
          maxLength={ASK_QUESTION_MAX}
          placeholder="May this answer be sent?"
          {...register('question')}
        />
      </Field>
      <Field
        label="Text to decide on"
        hint="Shown with the question, on the page alone."
        error={errors.askText?.message}
      >
        <FormEditor control={control} name="askText" label="Text to decide on" {...templates} />
      </Field>
      <FormSwitch control={control} name="editable" label="Whoever answers may edit this text" />
      <Answerers form={form} values={values} chain={chain} step={step} />
      <ChoiceFields form={form} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Time to answer" error={errors.deadline?.message}>
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)] gap-2">
            <NumberInput isWhole {...register('deadline')} />
            <Controller
              control={control}
              name="deadlineUnit"
              render={({ field: { value } }) => (
                <ChoiceSelect
                  choices={UNITS}
                  value={value}
                  onChange={(next) => {
                    setValue('deadlineUnit', next, { shouldDirty: true })
                    if (formState.isSubmitted) void trigger('deadline')
                  }}
                  trigger={{ id: undefined, 'aria-label': 'Unit of the time to answer' }}
                />
              )}
            />
          </div>
        </Field>
        <Field label="If nobody answers" error={errors.onDeadline?.message}>
          <Controller
            control={control}
            name="onDeadline"
            render={({ field: { ref, value, onChange } }) => (
              <ChoiceSelect
                choices={choices.map(({ key, label }) => ({ value: key, label: label.trim() || 'Unnamed' }))}
                value={value}
                onChange={onChange}
                placeholder="Choose an answer"
                trigger={{ ref }}
              />
            )}
          />
        </Field>
      </div>
    </>
  )
}

const UNITS: readonly { value: AskInput['deadlineUnit']; label: string }[] = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
]

const ROLES: readonly { value: AskInput['role']; label: string }[] = [
  { value: 'nobody', label: 'Nobody else' },
  { value: 'owner', label: 'The chain’s owner' },
  { value: 'editor', label: 'Everyone who is an editor' },
  { value: 'viewer', label: 'Everyone who is a viewer' },
]

function Answerers({ form, values, chain, step }: Omit<KindFieldsProps, 'templates' | 'earlierOutputs'>) {
  const { control, formState, setValue, trigger } = form
  const { user } = useSession()
  const isChosen = formState.dirtyFields.notTheRunner === true
  const [people, groups, role, notTheRunner] = useWatch({
    control,
    name: ['people', 'groups', 'role', 'notTheRunner'],
  })
  const { data: known = [] } = useQuery(groupsQuery)
  const { data: shares } = useQuery({
    ...sharesQuery({ kind: 'chain', id: chain.id }),
    enabled: chain.sharedLevel === 'shared',
  })
  const change = { shouldDirty: true, shouldValidate: formState.isSubmitted }
  /** What others are asked to let go, its runner does not, unless the form says otherwise (D85). */
  const settle = (next: Parameters<typeof asksOthers>[0]) => {
    if (step === null && !isChosen && isBeforeTool({ chain, position: values.position }))
      setValue('notTheRunner', asksOthers(next, { user, owner: chain.owner }))
  }
  const setPeople = (next: string[]) => {
    setValue('people', next, change)
    settle({ people: next, groups, role })
  }
  const setGroups = (next: string[]) => {
    setValue('groups', next, change)
    settle({ people, groups: next, role })
  }
  const error = formState.errors.people?.message ?? formState.errors.groups?.message
  const asked = { ...askedOf({ people, groups, role }), notTheRunner }
  const problem = answerersProblem({ asked, chain, shares, groups: known })
  return (
    <section aria-label="Who may answer" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <span aria-hidden="true" className="text-xs font-medium text-text-2">
        Who may answer
      </span>
      <Controller
        control={control}
        name="people"
        render={({ field: { ref } }) => (
          <FocusTarget ref={ref} selector="input">
            <PeopleSearch
              taken={people}
              groups={known.filter(({ name }) => !groups.includes(name))}
              onPerson={(username) => setPeople([...people, username])}
              onGroup={({ name }) => setGroups([...groups, name])}
            />
          </FocusTarget>
        )}
      />
      {people.length + groups.length > 0 && (
        <ul aria-label="People and groups who may answer" className="flex flex-wrap gap-1.5">
          {people.map((name) => (
            <Named
              key={`person ${name}`}
              name={name}
              onRemove={() => setPeople(people.filter((one) => one !== name))}
            />
          ))}
          {groups.map((name) => (
            <Named
              key={`group ${name}`}
              name={name}
              isGroup
              onRemove={() => setGroups(groups.filter((one) => one !== name))}
            />
          ))}
        </ul>
      )}
      <Controller
        control={control}
        name="role"
        render={({ field: { value } }) => (
          <ChoiceSelect
            choices={ROLES}
            value={value}
            onChange={(next) => {
              setValue('role', next, { shouldDirty: true })
              settle({ people, groups, role: next })
              // What the form lacks is said of the people.
              if (formState.isSubmitted) void trigger('people')
            }}
            trigger={{ id: undefined, 'aria-label': 'Who may answer by role' }}
          />
        )}
      />
      <FormSwitch control={control} name="notTheRunner" label="Not the person who runs it" />
      {error && (
        <p role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
      {!error && problem && (
        <p role="status" className="text-xs text-warn wrap-anywhere">
          {problem}
        </p>
      )}
    </section>
  )
}

interface NamedProps {
  name: string
  isGroup?: boolean
  onRemove: () => void
}

function Named({ name, isGroup = false, onRemove }: NamedProps) {
  const Icon = isGroup ? UsersIcon : UserRoundIcon
  return (
    <li className="flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-control border border-line pl-2 text-sm pointer-coarse:h-11">
      <Icon aria-hidden="true" className="size-3.5 shrink-0 text-text-3" />
      <bdi className="min-w-0 truncate">{name}</bdi>
      <RemoveButton label={`Remove ${name}`} onClick={onRemove} className="size-6 pointer-coarse:size-10" />
    </li>
  )
}
