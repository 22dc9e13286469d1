import type { VersionLabels } from '@catenary/contracts'
import { ArrowRightIcon, PencilIcon, PlusIcon, TagIcon, XIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { PRODUCTION } from './label-chip.tsx'
import type { LabelDialog } from './versioned.ts'

const USUAL = [PRODUCTION, 'staging']

export interface LabelsMenuProps {
  labels: VersionLabels
  version: number
  onChoose: (dialog: LabelDialog) => void
}

export function LabelsMenu({ labels: all, version, onChoose }: LabelsMenuProps) {
  const { labels } = all
  const here = labels.filter((label) => label.version === version)
  const elsewhere = labels.filter((label) => label.version !== version)
  const unused = USUAL.filter((name) => !labels.some(({ label }) => label === name))
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm">
          <TagIcon />
          Labels
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-w-[min(22rem,calc(100vw-24px))]">
        {elsewhere.map(({ label, version: from }) => (
          <DropdownMenuItem
            key={label}
            disabled={!mayMove(all, label)}
            onSelect={() => onChoose({ kind: 'move', label, from, to: version })}
          >
            <ArrowRightIcon />
            <span className="min-w-0 flex-1 truncate">Move {label} here</span>
            <span className="text-xs text-text-3">{whyNot(all, label) ?? `from ${from}`}</span>
          </DropdownMenuItem>
        ))}
        {unused.map((label) => (
          <DropdownMenuItem
            key={label}
            disabled={!mayMove(all, label)}
            onSelect={() => onChoose({ kind: 'move', label, from: null, to: version })}
          >
            <ArrowRightIcon />
            <span className="min-w-0 flex-1 truncate">Put {label} here</span>
            <span className="text-xs text-text-3">{whyNot(all, label)}</span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem disabled={!all.canMove} onSelect={() => onChoose({ kind: 'new', to: version })}>
          <PlusIcon />
          New label
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onChoose({ kind: 'note', version })}>
          <PencilIcon />
          Edit note
        </DropdownMenuItem>
        {here.length > 0 && <DropdownMenuSeparator />}
        {here.map(({ label }) => (
          <DropdownMenuItem
            key={label}
            variant="destructive"
            disabled={!mayMove(all, label)}
            onSelect={() => onChoose({ kind: 'remove', label, version })}
          >
            <XIcon />
            <span className="min-w-0 flex-1 truncate">Remove {label}</span>
            <span className="text-xs text-text-3">{whyNot(all, label)}</span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

const MOVERS = { editors: 'for editors', owners: 'for the owner', admins: 'for administrators' } as const

const protectionOf = ({ protected: all }: VersionLabels, label: string) =>
  all.find((one) => one.label === label)

function mayMove(labels: VersionLabels, label: string): boolean {
  return protectionOf(labels, label)?.canMove ?? labels.canMove
}

function whyNot(labels: VersionLabels, label: string): string | undefined {
  const protection = protectionOf(labels, label)
  return protection && !protection.canMove ? MOVERS[protection.whoMayMove] : undefined
}
