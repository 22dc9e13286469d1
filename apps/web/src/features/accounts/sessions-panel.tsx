import type { AccountSession } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { MonitorIcon, SmartphoneIcon } from 'lucide-react'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel, SettingsRows } from '../../components/settings-panel.tsx'
import { RelativeDay } from '../../components/time/relative-day.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { toast } from '../../lib/toast.ts'
import { sessionsQuery, useEndSessions } from './own-account.queries.ts'

export default function SessionsPanel() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useEndSessions()
  const endOthers = () =>
    end.mutate(undefined, {
      onSuccess: () => toast({ title: 'Signed out', description: 'You are now only signed in here.' }),
    })
  return (
    <SettingsPanel
      title="Sessions"
      description="Where you are signed in."
      action={
        <Button
          variant="secondary"
          disabled={!sessions || sessions.length < 2}
          pending={end.isPending && end.variables === undefined}
          onClick={endOthers}
        >
          Sign out everywhere else
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : sessions ? (
        <SettingsRows label="Sessions">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              pending={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </SettingsRows>
      ) : (
        <Skeleton className="h-28" />
      )}
    </SettingsPanel>
  )
}

interface SessionRowProps {
  session: AccountSession
  pending: boolean
  onEnd: () => void
}

function SessionRow({ session, pending, onEnd }: SessionRowProps) {
  const { current, ipAddress, userAgent, createdAt, lastUsedAt } = session
  const name = deviceName(userAgent)
  const Icon = /Mobile|iPhone|iPad|Android/.test(userAgent ?? '') ? SmartphoneIcon : MonitorIcon
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <Icon className="size-4 shrink-0 text-text-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium" title={userAgent ?? undefined}>
          {name}
          {current && <Badge variant="accent">This device</Badge>}
        </p>
        <p className="text-xs text-text-3 wrap-anywhere">
          {ipAddress && `${ipAddress} · `}Signed in <RelativeDay time={createdAt} /> · Used{' '}
          <RelativeDay time={lastUsedAt} />
        </p>
      </div>
      {!current && (
        <Button
          variant="ghost"
          size="sm"
          pending={pending}
          onClick={onEnd}
          aria-label={`Sign out ${name}, ${ipAddress ?? 'unknown address'}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** Order counts: Edge and Opera call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
/** Phones also name the system that theirs is made from. */
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (text.slice(0, 40) || 'Unknown device')
}
