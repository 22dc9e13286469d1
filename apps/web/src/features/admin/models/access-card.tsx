import type { ManagedModel, ModelAccess } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PencilIcon, PlusIcon, ShieldIcon, UserRoundIcon, UsersIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { SettingsRows } from '../../../components/settings-panel.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { AccessDialog, type AccessSubject } from './access-dialog.tsx'
import { accessQuery } from './models.queries.ts'

export function AccessCard({ models }: { models: readonly ManagedModel[] }) {
  const { data: access, error, refetch } = useQuery(accessQuery)
  const [edited, setEdited] = useState<AccessSubject>()
  return (
    <section aria-label="Who may use which models" className="grid gap-2.5">
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="text-sm text-text-2">
          <strong className="mr-2 font-semibold text-text">Who may use which models</strong>a person’s own
          list replaces everyone’s, a group’s list adds to it
        </p>
        <Button
          variant="ghost"
          size="sm"
          disabled={!access}
          aria-label="Give a person or group their own list"
          onClick={() => setEdited({ who: 'new' })}
        >
          <PlusIcon />
          Person or group
        </Button>
      </header>
      {access ? (
        <AccessRows access={access} models={models} onEdit={setEdited} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-24" />
      )}
      {edited && access && (
        <AccessDialog subject={edited} access={access} models={models} onClose={() => setEdited(undefined)} />
      )}
    </section>
  )
}

interface AccessRowsProps {
  access: ModelAccess
  models: readonly ManagedModel[]
  onEdit: (subject: AccessSubject) => void
}

function AccessRows({ access: { everyone, people, groups }, models, onEdit }: AccessRowsProps) {
  const aliasesOf = (ids: readonly number[]) =>
    models.filter(({ id }) => ids.includes(id)).map(({ alias }) => alias)
  return (
    <SettingsRows label="Model lists">
      <AccessRow
        icon={<UsersIcon />}
        name="Everyone"
        note="default for new people"
        onEdit={() => onEdit({ who: 'everyone' })}
      >
        <Aliases aliases={aliasesOf(everyone)} />
      </AccessRow>
      <AccessRow icon={<ShieldIcon />} name="Admins" note="always">
        <Badge>all models</Badge>
      </AccessRow>
      {groups.map((group) => (
        <AccessRow
          key={`group ${group.groupId}`}
          icon={<UsersIcon />}
          name={group.name}
          note="group, adds to everyone’s"
          onEdit={() => onEdit({ who: 'group', group })}
        >
          <Aliases aliases={aliasesOf(group.modelIds)} />
        </AccessRow>
      ))}
      {people.map((person) => (
        <AccessRow
          key={person.userId}
          icon={<UserRoundIcon />}
          name={person.username}
          note="own list"
          onEdit={() => onEdit({ who: 'person', person })}
        >
          <Aliases aliases={aliasesOf(person.modelIds)} />
        </AccessRow>
      ))}
    </SettingsRows>
  )
}

interface AccessRowProps {
  icon: ReactNode
  name: string
  note: string
  onEdit?: () => void
  children: ReactNode
}

function AccessRow({ icon, name, note, onEdit, children }: AccessRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-1.5 pr-2 pl-3.5">
      <p className="flex w-36 min-w-0 items-center gap-2 text-sm font-medium wrap-anywhere [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-3">
        {icon}
        {name}
      </p>
      <div className="flex min-w-40 flex-1 flex-wrap gap-1.5">{children}</div>
      <p className="text-xs text-text-3">{note}</p>
      {onEdit ? (
        <Button variant="ghost" size="icon-sm" aria-label={`Models of ${name}`} onClick={onEdit}>
          <PencilIcon />
        </Button>
      ) : (
        <span className="size-7 pointer-coarse:size-11" />
      )}
    </li>
  )
}

function Aliases({ aliases }: { aliases: readonly string[] }) {
  if (aliases.length === 0) return <span className="text-sm text-text-3">no model</span>
  return aliases.map((alias) => (
    <Badge key={alias} className="font-mono">
      {alias}
    </Badge>
  ))
}
