import { type BackupsState, KEPT_COPIES } from '@catenary/contracts'
import { KeyRoundIcon, TriangleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { shortFingerprint } from './backup-texts.ts'

export function PlaceCard({ state }: { state: BackupsState }) {
  const { place, time, timeZone, toldByMail, hasCommand } = state
  const { daily, weekly, beforeMigrations } = KEPT_COPIES
  if (place === null) return null
  const { directory, problem } = place
  return (
    <section aria-label="Schedule and place" className="rounded-card border border-line text-sm">
      <h2 className="border-b border-line px-3.5 py-2.5 font-semibold">Schedule and place</h2>
      <dl className="grid grid-cols-[44px_minmax(0,1fr)] gap-x-3 gap-y-2 px-3.5 py-3">
        <Line name="Every" setBy="BACKUP_TIME">
          day at {time}, {timeZone.replaceAll('_', ' ')}
        </Line>
        <Line name="Keeps">
          {daily} daily, {weekly} weekly, {beforeMigrations} before migrations, and all made by hand
        </Line>
        <Line name="Place" setBy="BACKUP_DIR">
          <code className="text-xs">{directory}</code>
          {problem === null ? <Disk {...place} /> : <span className="block text-danger">can’t be used</span>}
        </Line>
        <Line name="After each" setBy="BACKUP_COMMAND">
          {hasCommand ? 'a command runs' : 'no command runs'}
        </Line>
        <Line name="Alerts" setBy="SMTP_URL">
          {toldByMail.length > 0
            ? `emails to ${toldByMail.join(', ')} when one fails`
            : 'in the app and /metrics'}
        </Line>
      </dl>
      <p className="border-t border-line px-3.5 py-2.5 text-xs text-text-2">
        Set these in the environment. Changes take effect at the next start.
      </p>
    </section>
  )
}

function Disk({ isOtherDisk, freeBytes }: NonNullable<BackupsState['place']>) {
  return (
    <span className={isOtherDisk ? 'block text-text-2' : 'block text-warn'}>
      {isOtherDisk ? 'another disk' : 'the database’s own disk'}
      {freeBytes !== null && `, ${formatBytes(freeBytes)} free`}
    </span>
  )
}

interface LineProps {
  name: string
  /** The setting that says so; absent: none does. */
  setBy?: string
  children: ReactNode
}

function Line({ name, setBy, children }: LineProps) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {children}
        {setBy && <code className="block text-xs text-text-3">{setBy}</code>}
      </dd>
    </>
  )
}

export function KeyCard({ fingerprint }: { fingerprint: string }) {
  return (
    <section aria-label="Key" className="overflow-hidden rounded-card border border-line text-sm">
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3.5 py-2.5">
        <h2 className="flex items-center gap-2 font-semibold [&_svg]:size-4">
          <KeyRoundIcon />
          Key
        </h2>
        <code className="text-xs text-text-2">
          <span aria-hidden="true">SHA-256 {shortFingerprint(fingerprint)}</span>
          <span className="sr-only">SHA-256 {fingerprint}</span>
        </code>
      </header>
      <p className="flex gap-2 border-t border-line bg-warn-soft px-3.5 py-3 text-warn [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
        <TriangleAlertIcon />
        <span>
          <strong className="font-semibold">No copy contains the key.</strong> Keep <code>SECRET_KEY</code>,
          or <code>secret.key</code> of the data directory, somewhere else: without it nobody can read the
          secrets in a copy.
        </span>
      </p>
    </section>
  )
}
