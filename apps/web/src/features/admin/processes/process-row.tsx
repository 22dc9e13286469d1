import type { ActivityProcess } from '@catenary/contracts'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'

const ROLES = { all: 'Web and worker', web: 'Web', worker: 'Worker' } as const

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

export function ProcessRow({ process }: { process: ActivityProcess }) {
  const { role, version, host, startedAt, seenAt, isLive, runs, jobs, poolSize } = process
  return (
    <li className="grid gap-0.5 px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium wrap-anywhere">
        {host}
        <Badge>{ROLES[role]}</Badge>
        {!isLive && <Badge variant="warn">Silent</Badge>}
      </p>
      <p className="text-xs text-text-3 wrap-anywhere">
        {isLive && `${counted(runs, 'run')} · ${counted(jobs, 'job')} · `}
        seen <RelativeTime time={seenAt} /> · started <RelativeTime time={startedAt} /> · version {version} ·
        up to {counted(poolSize, 'connection')}
      </p>
    </li>
  )
}
