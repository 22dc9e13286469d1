import { PlusIcon } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import type { AssertionDraft } from './assertion-draft.ts'
import { KIND_GROUPS, KIND_LABELS } from './kind-labels.ts'

export interface AddAssertionProps {
  /** A set holds no sets, and the best of all targets is chosen for the whole case. */
  inSet?: boolean
  onAdd: (kind: AssertionDraft['kind']) => void
}

export function AddAssertion({ inSet = false, onAdd }: AddAssertionProps) {
  const groups = KIND_GROUPS.filter(([heading]) => !inSet || heading !== 'Together')
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" className="justify-self-start">
          <PlusIcon />
          Add assertion
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="max-h-80 overflow-y-auto">
        {groups.map(([heading, kinds], index) => (
          <Fragment key={heading}>
            {index > 0 && <DropdownMenuSeparator />}
            <DropdownMenuLabel>{heading}</DropdownMenuLabel>
            {kinds.map((kind) => (
              <DropdownMenuItem key={kind} onSelect={() => onAdd(kind)}>
                {KIND_LABELS[kind][0]}
              </DropdownMenuItem>
            ))}
          </Fragment>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
