import type { ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { ArrowDownIcon, ArrowUpIcon, CopyPlusIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../components/ui/dropdown-menu.tsx'
import type { StepActions } from './use-step-actions.ts'

export function StepMenu({
  step,
  actions,
  index,
  count,
}: {
  step: ChainStep
  actions: StepActions
  index: number
  count: number
}) {
  return (
    <MoreMenu aria-label={`More: ${stepTitle(step)}`} data-step-menu={step.id}>
      <DropdownMenuItem onSelect={() => actions.open(step)}>
        <PencilIcon />
        Edit
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={() => actions.duplicate(step)}>
        <CopyPlusIcon />
        Duplicate
      </DropdownMenuItem>
      <DropdownMenuItem disabled={index === 0} onSelect={() => actions.move(step, index - 1)}>
        <ArrowUpIcon />
        Move up
      </DropdownMenuItem>
      <DropdownMenuItem disabled={index === count - 1} onSelect={() => actions.move(step, index + 1)}>
        <ArrowDownIcon />
        Move down
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem variant="destructive" onSelect={() => actions.remove(step)}>
        <Trash2Icon />
        Delete
      </DropdownMenuItem>
    </MoreMenu>
  )
}
