import type { ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { ArrowDownIcon, ArrowUpIcon, CopyPlusIcon, EllipsisIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import type { StepActions } from './use-step-actions.ts'

/** Everything that can be done with a step. */
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
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`More: ${stepTitle(step)}`}
          data-step-menu={step.id}
        >
          <EllipsisIcon />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
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
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
