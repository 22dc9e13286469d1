import { CONDITIONS_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { RemoveButton } from '../../../../components/remove-button.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import { ComparisonRow } from './comparison-row.tsx'
import {
  type ComparisonInput,
  type ConditionInput,
  type GroupInput,
  type Join,
  newComparison,
  newGroup,
} from './condition-input.ts'
import type { ConditionName } from './condition-names.ts'
import { useFocusNew } from './use-focus-new.ts'

const NAME_FIELDS = '[data-condition-name]'

export interface ConditionFieldsProps {
  value: NonNullable<ConditionInput>
  names: readonly ConditionName[]
  isTried: boolean
  /** null: nothing is left of it. */
  onChange: (value: ConditionInput) => void
}

export function ConditionFields({ value, names, isTried, onChange }: ConditionFieldsProps) {
  const { join, parts } = value
  const list = useFocusNew<HTMLDivElement>(parts.length, NAME_FIELDS)
  const isFull = parts.length >= CONDITIONS_MAX
  const add = (part: ComparisonInput | GroupInput) => onChange({ join, parts: [...parts, part] })
  const replace = (index: number, part: ComparisonInput | GroupInput) =>
    onChange({ join, parts: parts.with(index, part) })
  const remove = (index: number) =>
    onChange(parts.length === 1 ? null : { join, parts: parts.toSpliced(index, 1) })
  return (
    <div ref={list} className="@container grid grid-cols-[minmax(0,1fr)] gap-2">
      {parts.length > 1 && (
        <JoinChoice
          label="Conditions that must hold"
          value={join}
          onChange={(join) => onChange({ join, parts })}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {parts.map((part, index) =>
          'op' in part ? (
            <ComparisonRow
              key={part.id}
              row={part}
              place={String(index + 1)}
              names={names}
              isTried={isTried}
              onChange={(row) => replace(index, row)}
              onRemove={() => remove(index)}
            />
          ) : (
            <Group
              key={part.id}
              group={part}
              place={String(index + 1)}
              names={names}
              isTried={isTried}
              onChange={(group) => replace(index, group)}
              onRemove={() => remove(index)}
            />
          ),
        )}
      </div>
      <div className="-ml-1.5 flex flex-wrap gap-1">
        <AddButton label="Add condition" disabled={isFull} onClick={() => add(newComparison())} />
        <AddButton label="Add group" disabled={isFull} onClick={() => add(newGroup())} />
      </div>
    </div>
  )
}

interface GroupProps {
  group: GroupInput
  place: string
  names: readonly ConditionName[]
  isTried: boolean
  onChange: (group: GroupInput) => void
  onRemove: () => void
}

function Group({ group, place, names, isTried, onChange, onRemove }: GroupProps) {
  const { parts } = group
  const list = useFocusNew<HTMLFieldSetElement>(parts.length, NAME_FIELDS)
  return (
    <fieldset
      ref={list}
      aria-label={`Group ${place}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-line bg-inset p-2"
    >
      <div className="flex items-center justify-between gap-2">
        <JoinChoice
          label={`Conditions of group ${place} that must hold`}
          value={group.join}
          onChange={(join) => onChange({ ...group, join })}
        />
        <RemoveButton label={`Remove group ${place}`} onClick={onRemove} />
      </div>
      {parts.map((row, index) => (
        <ComparisonRow
          key={row.id}
          row={row}
          place={`${place}.${index + 1}`}
          names={names}
          isTried={isTried}
          onChange={(next) => onChange({ ...group, parts: parts.with(index, next) })}
          onRemove={() =>
            parts.length === 1 ? onRemove() : onChange({ ...group, parts: parts.toSpliced(index, 1) })
          }
        />
      ))}
      <AddButton
        label="Add condition"
        name={`Add condition to group ${place}`}
        disabled={parts.length >= CONDITIONS_MAX}
        onClick={() => onChange({ ...group, parts: [...parts, newComparison()] })}
      />
    </fieldset>
  )
}

function JoinChoice({
  label,
  value,
  onChange,
}: {
  label: string
  value: Join
  onChange: (join: Join) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-text-2">
      <SegmentedControl aria-label={label} value={value} onValueChange={onChange}>
        <SegmentedControlItem value="all">All</SegmentedControlItem>
        <SegmentedControlItem value="any">Any</SegmentedControlItem>
      </SegmentedControl>
      of these must hold
    </div>
  )
}

interface AddButtonProps {
  label: string
  name?: string
  disabled: boolean
  onClick: () => void
}

function AddButton({ label, name = label, ...button }: AddButtonProps) {
  return (
    <Button variant="ghost" size="sm" aria-label={name} className="justify-self-start px-1.5" {...button}>
      <PlusIcon />
      {label}
    </Button>
  )
}
