import { ACTIVITY_DOORS, ACTIVITY_OBJECTS, type ActivityDoor } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import type { AddressChange } from '../../../lib/address.ts'
import { usersQuery } from '../admin.queries.ts'
import { OBJECT_NAMES } from './activity-sentences.ts'
import type { ActivityView } from './activity-view.ts'

const ANY = 'any'

export const DOOR_NAMES: Record<ActivityDoor, string> = {
  page: 'Page',
  token: 'Token',
  agent: 'Agent',
  schedule: 'Schedule',
  rule: 'Rule',
  'command line': 'Command line',
  job: 'Program',
}

const WHAT = [
  { value: ANY, label: 'Anything' },
  ...ACTIVITY_OBJECTS.map((value) => ({ value, label: OBJECT_NAMES[value] })),
]
const DOORS = [
  { value: ANY, label: 'Any door' },
  ...ACTIVITY_DOORS.map((value) => ({ value, label: DOOR_NAMES[value] })),
]

interface FiltersProps {
  view: ActivityView
  isAdmin: boolean
  onChange: (change: AddressChange) => void
}

export function ActivityFilters({ view, isAdmin, onChange }: FiltersProps) {
  const { who, what, door, from, to, refused } = view
  const choose = (name: string) => (value: string) => onChange({ [name]: value === ANY ? null : value })
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2.5">
      {isAdmin && <WhoSelect who={who} onChoose={choose('who')} />}
      <Field label="What" className="w-40 max-md:w-full">
        <ChoiceSelect choices={WHAT} value={what ?? ANY} onChange={choose('what')} />
      </Field>
      <Field label="Door" className="w-36 max-md:w-full">
        <ChoiceSelect choices={DOORS} value={door ?? ANY} onChange={choose('door')} />
      </Field>
      <div className="flex gap-x-3 max-md:w-full">
        <Field label="From" className="w-36 max-md:min-w-0 max-md:flex-1">
          <Input
            type="date"
            value={from}
            max={to}
            onChange={({ target }) => onChange({ from: target.value })}
          />
        </Field>
        <Field label="To" className="w-36 max-md:min-w-0 max-md:flex-1">
          <Input
            type="date"
            value={to}
            min={from}
            onChange={({ target }) => onChange({ to: target.value })}
          />
        </Field>
      </div>
      <div className="flex h-8 items-center pointer-coarse:h-11">
        <SwitchField
          label="Refused only"
          checked={refused}
          onChange={(only) => onChange({ refused: only ? 'only' : null })}
        />
      </div>
    </div>
  )
}

function WhoSelect({ who, onChoose }: { who: number | null; onChoose: (value: string) => void }) {
  const { data: users = [] } = useQuery(usersQuery)
  const known = users.map(({ id, username }) => ({ value: String(id), label: username }))
  const isUnknown = who !== null && !users.some(({ id }) => id === who)
  const choices = [
    { value: ANY, label: 'Anyone' },
    ...(isUnknown ? [{ value: String(who), label: `Account #${who}` }] : []),
    ...known,
  ]
  return (
    <Field label="Who" className="w-40 max-md:w-full">
      <ChoiceSelect choices={choices} value={who === null ? ANY : String(who)} onChange={onChoose} />
    </Field>
  )
}
