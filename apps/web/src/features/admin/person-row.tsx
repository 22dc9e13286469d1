import { type AddressState, type ManagedUser, ROLES, type Role } from '@catenary/contracts'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RelativeDay } from '../../components/time/relative-day.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useUpdateUser } from './admin.queries.ts'

/** Beside the address; nothing where it needs no confirmation. */
const ADDRESS_STATES: Record<AddressState, string> = {
  confirmed: ' (confirmed)',
  waiting: ' (not confirmed)',
  refused: ' (refused)',
}
const ROLE_LABELS: Record<Role, string> = { user: 'User', admin: 'Admin' }

export function PersonRow({ user }: { user: ManagedUser }) {
  const { id, username, email, addressState, role, disabled, lastSeenAt } = user
  const isSelf = useSession().user?.id === id
  const update = useUpdateUser()
  const [asks, setAsks] = useState(false)
  const setRole = (next: Role) =>
    update.mutate(
      { id, role: next },
      {
        onSuccess: () =>
          toast({
            title: 'User updated',
            description:
              next === 'admin' ? `${username} is now an admin` : `${username} is no longer an admin`,
          }),
      },
    )
  const setDisabled = (next: boolean) =>
    update.mutate(
      { id, disabled: next },
      {
        onSuccess: () =>
          toast({
            title: 'User updated',
            description: `${username} has been ${next ? 'disabled' : 'enabled'}`,
          }),
        onSettled: () => setAsks(false),
      },
    )
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium wrap-anywhere">
          {username}
          {isSelf && <Badge variant="accent">You</Badge>}
          {disabled && <Badge variant="danger">Disabled</Badge>}
        </p>
        <p className="text-xs text-text-3 wrap-anywhere">
          {email}
          {addressState && ADDRESS_STATES[addressState]}
          {lastSeenAt && (
            <>
              {' · '}seen <RelativeDay time={lastSeenAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <ChoiceSelect
          choices={ROLES.map((name) => ({ value: name, label: ROLE_LABELS[name] }))}
          value={role}
          onChange={setRole}
          disabled={update.isPending}
          trigger={{ 'aria-label': `Role of ${username}`, className: 'w-24 pointer-coarse:text-sm' }}
        />
        <Button
          variant="ghost"
          className="w-20"
          disabled={isSelf}
          pending={update.isPending && update.variables.disabled === false}
          aria-label={`${disabled ? 'Enable' : 'Disable'} ${username}`}
          onClick={() => (disabled ? setDisabled(false) : setAsks(true))}
        >
          {disabled ? 'Enable' : 'Disable'}
        </Button>
      </div>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Disable ${username}?`}
        description="They are signed out at once and can’t log in until you enable the account again. What they created stays."
        confirmLabel="Disable"
        pending={update.isPending}
        onConfirm={() => setDisabled(true)}
      />
    </li>
  )
}
