import type { Activity, SlowStatement } from '@catenary/contracts'
import { CircleAlertIcon } from 'lucide-react'
import { Fact } from '../../../components/fact.tsx'
import { SettingsRows } from '../../../components/settings-panel.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Banner } from '../../../components/ui/banner.tsx'

/** From this share on, one more process may find no free connection. */
const MANY = 0.8
const KINDS = { embedded: 'embedded', server: 'PostgreSQL server' } as const

export function DatabaseActivity({ database }: Pick<Activity, 'database'>) {
  const { kind, answeredInMs, waitingCalls, connections, statements } = database
  return (
    <section aria-label="Database" className="grid gap-2">
      <h2 className="text-sm font-medium">Database</h2>
      <div className="rounded-card border border-line px-3.5 py-3">
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2.5 text-sm">
          <Fact name="Kind">{KINDS[kind]}</Fact>
          <Fact name="Response time">{Math.round(answeredInMs).toLocaleString('en')} ms</Fact>
          <Fact name="Waiting calls">{waitingCalls.toLocaleString('en')}</Fact>
          {connections !== null && (
            <Fact name="Connections in use">
              {connections.used.toLocaleString('en')} of {connections.allowed.toLocaleString('en')}
            </Fact>
          )}
        </dl>
      </div>
      {connections !== null && connections.used > connections.allowed * MANY && (
        <Banner variant="warn" role="status" icon={<CircleAlertIcon />}>
          Connections are running out. Lower the pool of each process, or raise max_connections.
        </Banner>
      )}
      {kind === 'server' && statements.length === 0 && (
        <p className="text-xs text-text-3">No statement takes longer than a second.</p>
      )}
      {statements.length > 0 && (
        <SettingsRows label="Slow statements">
          {statements.map((statement) => (
            <StatementRow key={statement.pid} statement={statement} />
          ))}
        </SettingsRows>
      )}
    </section>
  )
}

function StatementRow({ statement }: { statement: SlowStatement }) {
  const { pid, since, isIdle, text, waitsFor, blockedBy } = statement
  return (
    <li className="grid gap-1 px-3.5 py-2.5">
      <p className="font-mono text-xs text-text wrap-anywhere">{text}</p>
      <p className="text-xs text-text-3 wrap-anywhere">
        Session {pid}, {isIdle ? 'transaction open' : 'running'} since <RelativeTime time={since} />
        {waitsFor !== null && ` · waits for ${waitsFor}`}
        {blockedBy.length > 0 && ` · blocked by session ${blockedBy.join(', ')}`}
      </p>
    </li>
  )
}
