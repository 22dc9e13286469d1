import { stepTitle } from '@catenary/domain'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  CopyPlusIcon,
  EyeIcon,
  PencilIcon,
  SplitIcon,
  StepForwardIcon,
  Trash2Icon,
} from 'lucide-react'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../components/ui/dropdown-menu.tsx'
import { isBusy } from '../run/use-chain-run.ts'
import type { StepItemProps } from './step-item-props.ts'

type StepMenuProps = Pick<StepItemProps, 'step' | 'actions' | 'index' | 'count' | 'run'>

export function StepButtons(props: StepMenuProps) {
  const { step, actions } = props
  const title = stepTitle(step)
  return (
    <div className="-mr-1.5 flex shrink-0 items-center">
      <Button
        variant="ghost"
        size="icon-sm"
        title="Edit step"
        aria-label={`Edit step: ${title}`}
        onClick={() => actions.open(step)}
        className="max-md:hidden"
      >
        <PencilIcon />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        title="Delete step"
        aria-label={`Delete step: ${title}`}
        onClick={() => actions.remove(step)}
        className="max-md:hidden"
      >
        <Trash2Icon />
      </Button>
      <StepMenu {...props} />
    </div>
  )
}

export function StepMenu({ step, actions, index, count, run }: StepMenuProps) {
  const { preview } = actions
  return (
    <MoreMenu of={stepTitle(step)} data-step-menu={step.id}>
      <DropdownMenuItem onSelect={() => actions.open(step)}>
        <PencilIcon />
        Edit
      </DropdownMenuItem>
      {preview && (
        <DropdownMenuItem onSelect={() => preview(step)}>
          <EyeIcon />
          Preview
        </DropdownMenuItem>
      )}
      {run?.onRunFrom && (
        <DropdownMenuItem disabled={isBusy(run.running)} onSelect={run.onRunFrom}>
          <StepForwardIcon />
          Run from here
        </DropdownMenuItem>
      )}
      <DropdownMenuItem onSelect={() => actions.duplicate(step)}>
        <CopyPlusIcon />
        Duplicate
      </DropdownMenuItem>
      {step.onlyIf && (
        <DropdownMenuItem onSelect={() => actions.addElse(step)}>
          <SplitIcon />
          Add else step
        </DropdownMenuItem>
      )}
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
