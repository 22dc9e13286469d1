import { type ProtectedLabel, WHO_MAY_MOVE, type WhoMayMove } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon, XIcon } from 'lucide-react'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { groupsQuery } from '../../groups/groups.queries.ts'
import { LabelChip } from '../../records/versions/label-chip.tsx'
import { useProtectLabel, useUnprotectLabel } from './protected-labels.queries.ts'

const MOVERS: Record<WhoMayMove, string> = {
  editors: 'Owner and editors',
  owners: 'Owner, or an admin',
  admins: 'Admins only',
}

export function ProtectedLabelRow({ label: stored }: { label: ProtectedLabel }) {
  const { label, whoMayMove, groups, needsSuite } = stored
  const protect = useProtectLabel()
  const unprotect = useUnprotectLabel()
  const shown = protect.isPending ? protect.variables : stored
  const change = (rule: Partial<ProtectedLabel>) =>
    protect.mutate(
      { label, whoMayMove, groups, needsSuite, ...rule },
      {
        onError: (error) =>
          toast({
            title: 'Error',
            description: `Failed to protect ${label}: ${errorReason(error)}`,
            variant: 'destructive',
          }),
      },
    )
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2.5 px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 max-md:basis-full">
          <LabelChip label={label} />
        </div>
        <ChoiceSelect
          choices={WHO_MAY_MOVE.map((who) => ({ value: who, label: MOVERS[who] }))}
          value={shown.whoMayMove}
          onChange={(whoMayMove) => change({ whoMayMove })}
          trigger={{ 'aria-label': `Who can move ${label}`, className: 'w-44 max-md:flex-1' }}
        />
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Remove protection from ${label}`}
          title="Remove protection"
          pending={unprotect.isPending}
          onClick={() => unprotect.mutate(label)}
        >
          {!unprotect.isPending && <XIcon />}
        </Button>
      </div>
      {whoMayMove !== 'editors' && (
        <MovingGroups label={label} chosen={shown.groups} onChange={(groups) => change({ groups })} />
      )}
      <SwitchField
        label={
          <>
            Requires a passed test suite <span className="sr-only">to move {label}</span>
          </>
        }
        checked={shown.needsSuite}
        onChange={(needsSuite) => change({ needsSuite })}
      />
    </li>
  )
}

interface MovingGroupsProps {
  label: string
  chosen: readonly string[]
  onChange: (groups: string[]) => void
}

/** Beside whom the rule names: whoever of these groups may change the record. */
function MovingGroups({ label, chosen, onChange }: MovingGroupsProps) {
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-text-2">
      <DropdownMenu>
        <DropdownMenuTrigger>
          <Button variant="secondary" size="sm" aria-label={`Groups that can move ${label} too`}>
            Groups
            <ChevronDownIcon />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          {groups.map(({ id, name }) => (
            <DropdownMenuCheckboxItem
              key={id}
              checked={chosen.includes(name)}
              onCheckedChange={(may) =>
                onChange(may ? [...chosen, name] : chosen.filter((other) => other !== name))
              }
            >
              {name}
            </DropdownMenuCheckboxItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
      <p className="min-w-0 wrap-anywhere">
        {chosen.length === 0
          ? 'Members of groups can’t move it.'
          : `Editors in ${chosen.join(', ')} can move it too.`}
      </p>
    </div>
  )
}
