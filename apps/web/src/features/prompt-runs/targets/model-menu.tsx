import type { ModelAlias } from '@catenary/contracts'
import type { ReactNode } from 'react'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { ByName } from '../../accounts/by-name.tsx'
import { useModels } from '../../model-settings/models.ts'

export function ModelMenu({
  onChoose,
  children,
}: {
  onChoose: (model: ModelAlias) => void
  children: ReactNode
}) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="min-w-48">
        <ModelMenuItems onChoose={onChoose} />
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

export function ModelMenuItems({ onChoose }: { onChoose: (model: ModelAlias) => void }) {
  return useModels().map(({ alias, label, configured, keyVariable }) => (
    <DropdownMenuItem key={alias} disabled={!configured} textValue={label} onSelect={() => onChoose(alias)}>
      <ModelItemText label={label} configured={configured} keyVariable={keyVariable} />
    </DropdownMenuItem>
  ))
}

export function ModelItemText({
  label,
  configured,
  keyVariable,
}: {
  label: string
  configured: boolean
  keyVariable: string
}) {
  return (
    <span>
      {label}
      {!configured && (
        <span className="block text-xs text-text-2">
          <ByName text="No key: ask an administrator" own={`No key: set ${keyVariable}`} />
        </span>
      )}
    </span>
  )
}
