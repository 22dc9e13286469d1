import type { TestCase } from '@catenary/contracts'
import { describeAssertion } from '@catenary/domain'
import { ArrowUpIcon, CopyPlusIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'

export interface CaseRowProps {
  testCase: TestCase
  canEdit: boolean
  onOpen: () => void
  onMoveUp: (() => void) | undefined
  onDuplicate: () => void
  onDelete: () => void
}

const SHOWN = 4

export function CaseRow({ testCase, canEdit, onOpen, onMoveUp, onDuplicate, onDelete }: CaseRowProps) {
  const { id, name, tags, assertions, notRun } = testCase
  const kept = notRun.filter(({ reason }) => reason !== null).length
  return (
    <li
      data-case-id={id}
      className="relative grid min-w-0 gap-x-6 gap-y-1.5 px-4 py-2.5 transition-colors hover:bg-hover md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_auto]"
    >
      <div className="grid min-w-0 content-start gap-0.5 max-md:pr-9">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <button
            dir="auto"
            type="button"
            onClick={onOpen}
            className="min-w-0 truncate text-start text-sm font-medium after:absolute after:inset-0"
          >
            {name}
          </button>
          {tags.map((tag) => (
            <Badge key={tag} variant="neutral">
              {tag}
            </Badge>
          ))}
        </div>
        <p className="truncate font-mono text-xs text-text-3">{describeGiven(testCase)}</p>
      </div>
      <ul className="grid min-w-0 content-start gap-0.5 text-sm text-text-2">
        {assertions.slice(0, SHOWN).map((assertion) => (
          <li key={JSON.stringify(assertion)} className="truncate">
            {describeAssertion(assertion)}
          </li>
        ))}
        {assertions.length > SHOWN && <li className="text-text-3">and {assertions.length - SHOWN} more</li>}
        {assertions.length === 0 && kept === 0 && <li className="text-text-3">Any answer passes</li>}
        {kept > 0 && (
          <li>
            <Badge variant="warn">{kept} not run</Badge>
          </li>
        )}
      </ul>
      <div className="max-md:absolute max-md:top-1.5 max-md:right-2">
        {canEdit && (
          <MoreMenu of={name} className="relative text-text-3">
            <DropdownMenuItem onSelect={onOpen}>
              <PencilIcon />
              Edit
            </DropdownMenuItem>
            {onMoveUp && (
              <DropdownMenuItem onSelect={onMoveUp}>
                <ArrowUpIcon />
                Move up
              </DropdownMenuItem>
            )}
            <DropdownMenuItem onSelect={onDuplicate}>
              <CopyPlusIcon />
              Duplicate
            </DropdownMenuItem>
            <DropdownMenuItem variant="destructive" onSelect={onDelete}>
              <Trash2Icon />
              Delete
            </DropdownMenuItem>
          </MoreMenu>
        )}
      </div>
    </li>
  )
}

function describeGiven({ values, input }: TestCase): string {
  const named = Object.entries(values).map(
    ([name, value]) => `${name} = ${value.replace(/\s+/g, ' ').slice(0, 120)}`,
  )
  return (
    [...named, ...(input === '' ? [] : [input.slice(0, 120)])].join(' · ') || 'The variables’ stored values'
  )
}
