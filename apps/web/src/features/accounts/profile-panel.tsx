import type { AddressState, MailState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { mailStateQuery, useSendConfirmation } from './mail-state.queries.ts'

const STATES = {
  confirmed: { label: 'Confirmed', variant: 'ok', text: 'Your schedules can send results to it.' },
  waiting: {
    label: 'Not confirmed',
    variant: 'outline',
    text: 'Follow the link in the email sent to this address. Until then, results are held for up to a day.',
  },
  refused: {
    label: 'Refused',
    variant: 'danger',
    text: 'The person at this address said that this isn’t their account. No email is sent to it.',
  },
} as const satisfies Record<AddressState, object>

export default function ProfilePanel() {
  const { user, isAdmin } = useSession()
  const { data, error, refetch } = useQuery(mailStateQuery)
  return (
    <SettingsPanel title="Profile" description="How others see you, and where you get email.">
      <dl className="divide-y divide-line rounded-card border border-line">
        <Line name="Name">
          <span dir="auto" className="font-medium wrap-anywhere">
            {user?.username}
          </span>{' '}
          {isAdmin && <Badge className="ml-1">Admin</Badge>}
        </Line>
        <Line name="Email">
          {error ? (
            <ErrorState error={error} onRetry={() => void refetch()} className="py-2" />
          ) : data ? (
            <Address mail={data} />
          ) : (
            <Skeleton className="h-5 max-w-60" />
          )}
        </Line>
      </dl>
    </SettingsPanel>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-3.5 py-3 text-sm sm:grid-cols-[88px_minmax(0,1fr)]">
      <dt className="text-text-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Address({ mail: { isSetUp, ownAddress, ownAddressState } }: { mail: MailState }) {
  const state = ownAddressState && STATES[ownAddressState]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {ownAddress}
          {state && <Badge variant={state.variant}>{state.label}</Badge>}
        </p>
        {state && <p className="text-text-2">{state.text}</p>}
        {!isSetUp && <p className="text-text-2">Mail is not set up on this server.</p>}
      </div>
      {ownAddressState === 'waiting' && <SendAgain address={ownAddress} />}
    </div>
  )
}

function SendAgain({ address }: { address: string }) {
  const send = useSendConfirmation()
  return (
    <Button
      variant="secondary"
      pending={send.isPending}
      onClick={() =>
        send.mutate(undefined, {
          onSuccess: () =>
            toast({ title: 'Email sent', description: `Follow the link in the email to ${address}.` }),
        })
      }
    >
      Send again
    </Button>
  )
}
