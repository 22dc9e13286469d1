import {
  type AccountSettings,
  MESSAGE_KINDS,
  MESSAGES,
  type MessageKind,
  type MessageWay,
} from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { mailStateQuery } from './mail-state.queries.ts'
import { accountQuery, useUpdateAccount } from './own-account.queries.ts'

const KINDS: Record<MessageKind, { title: string; about: string }> = {
  asks: { title: 'Questions', about: 'A run waits for your answer.' },
  failures: {
    title: 'Failures',
    about: 'A schedule of yours begins to fail, or is paused because it failed.',
  },
  budgets: { title: 'Budgets', about: 'Your budget for the month is nearly or entirely used.' },
}
const WAYS: readonly { way: MessageWay; label: string }[] = [
  { way: 'page', label: 'On the page' },
  { way: 'mail', label: 'Email' },
]

const comes = (kind: MessageKind, way: MessageWay): boolean =>
  (MESSAGES[kind] as readonly MessageWay[]).includes(way)

/** Which messages reach one, and how; each switch counts at once. */
export default function NotificationsPanel() {
  const { data, error, refetch } = useQuery(accountQuery)
  return (
    <SettingsPanel title="Notifications" description="What you are told, and how.">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : data ? (
        <>
          <Choices notifications={data.notifications} />
          <MailNote />
        </>
      ) : (
        <div role="status">
          <span className="sr-only">Loading notifications</span>
          <Skeleton className="h-60" />
        </div>
      )}
    </SettingsPanel>
  )
}

function Choices({ notifications }: Pick<AccountSettings, 'notifications'>) {
  const update = useUpdateAccount()
  const chosen = (kind: MessageKind): Partial<Record<MessageWay, boolean>> => notifications[kind]
  const choose = (kind: MessageKind, way: MessageWay, isOn: boolean) =>
    update.mutate({
      notifications: { ...notifications, [kind]: { ...chosen(kind), [way]: isOn } },
    })
  return (
    <table className="w-full overflow-hidden rounded-card border border-line text-sm [border-collapse:separate] [border-spacing:0]">
      <thead className="text-xs text-text-3">
        <tr>
          <th scope="col" className="px-3.5 py-2 text-left font-medium">
            Message
          </th>
          {WAYS.map(({ way, label }) => (
            <th key={way} scope="col" className="w-24 px-2 py-2 text-center font-medium max-sm:w-16">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {MESSAGE_KINDS.map((kind) => (
          <tr key={kind} className="[&>*]:border-t [&>*]:border-line">
            <th scope="row" className="px-3.5 py-2.5 text-left font-normal">
              <span className="block font-medium">{KINDS[kind].title}</span>
              <span className="block text-text-2">{KINDS[kind].about}</span>
            </th>
            {WAYS.map(({ way, label }) => (
              <td key={way} className="px-2 text-center">
                {comes(kind, way) && (
                  <Switch
                    aria-label={`${KINDS[kind].title}: ${label}`}
                    checked={chosen(kind)[way] === true}
                    onCheckedChange={(isOn) => choose(kind, way, isOn)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function MailNote() {
  const { data: mail } = useQuery(mailStateQuery)
  if (!mail) return null
  if (!mail.isSetUp)
    return <p className="text-sm text-text-3">Mail is not set up on this server, so no email is sent.</p>
  if (mail.ownAddressState === 'waiting' || mail.ownAddressState === 'refused') {
    return (
      <p className="text-sm text-text-3">
        Emails are sent once <span className="wrap-anywhere">{mail.ownAddress}</span> is confirmed. See{' '}
        <Link href="/settings/profile" className="text-accent-text underline underline-offset-3">
          your profile
        </Link>
        .
      </p>
    )
  }
  return (
    <p className="text-sm text-text-3 wrap-anywhere">
      Emails go to {mail.ownAddress}. They hold a link and, if a schedule failed, the reason. They hold no
      answers.
    </p>
  )
}
