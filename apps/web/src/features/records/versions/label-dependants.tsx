import type { LabelDependants as Dependants } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CalendarClockIcon, KeyRoundIcon, Link2Icon, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { dependantsQuery } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

const LINES_MAX = 3

export function LabelDependants({ record, label }: { record: Versioned; label: string }) {
  const { data, error, refetch } = useQuery(dependantsQuery({ record, label }))
  return (
    <section aria-label={`What uses ${label}`} className="grid gap-1.5">
      <h3 className="text-sm font-medium tracking-normal text-text-2">{label} is used by</h3>
      {data ? (
        <DependantsGrid dependants={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-4" />
      ) : (
        <Skeleton className="h-20" />
      )}
    </section>
  )
}

function DependantsGrid({ dependants }: { dependants: Dependants }) {
  const { chains, schedules, tokens, readTokens, hidden } = dependants
  if (chains.length + schedules.length + tokens.length + readTokens.length + hidden === 0) {
    return (
      <p className="text-sm text-text-3">Nothing here. Programs that request it by name are not listed.</p>
    )
  }
  return (
    <div className="grid divide-line overflow-hidden rounded-control border border-line max-sm:divide-y sm:auto-cols-fr sm:grid-flow-col sm:divide-x">
      <Column
        Icon={Link2Icon}
        count={new Set(chains.map(({ id }) => id)).size}
        noun="chain"
        lines={chains.map(({ name, version, position }) =>
          [name, ...(version === null ? [] : [`version ${version}`]), `step ${position + 1}`].join(', '),
        )}
      />
      <Column
        Icon={CalendarClockIcon}
        count={schedules.length}
        noun="schedule"
        lines={schedules.map(({ name }) => name)}
      >
        <NextRun schedules={schedules} />
      </Column>
      <TokenColumn noun="token" tokens={tokens} />
      <TokenColumn noun="read token" tokens={readTokens} />
      {hidden > 0 && (
        <p className="px-3.5 py-2.5 text-sm text-text-2">
          {hidden === 1 ? 'One more' : `${hidden} more`} that you can’t see
        </p>
      )}
    </div>
  )
}

interface ColumnProps {
  Icon: LucideIcon
  count: number
  noun: string
  lines: readonly string[]
  children?: ReactNode
}

function Column({ Icon, count, noun, lines, children }: ColumnProps) {
  if (count === 0) return null
  const shown = [...new Set(lines)]
  const others = shown.length - LINES_MAX
  return (
    <div className="grid min-w-0 content-start gap-0.5 px-3.5 py-2.5 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <Icon className="size-4 shrink-0 text-text-3" />
        {count} {count === 1 ? noun : `${noun}s`}
      </p>
      {shown.slice(0, LINES_MAX).map((line) => (
        <p key={line} title={line} className="line-clamp-2 text-text-2 wrap-anywhere">
          {line}
        </p>
      ))}
      {others > 0 && <p className="text-text-3">and {others} more</p>}
      {children}
    </div>
  )
}

function TokenColumn({ noun, tokens }: Pick<ColumnProps, 'noun'> & Pick<Dependants, 'tokens'>) {
  return (
    <Column
      Icon={KeyRoundIcon}
      count={tokens.length}
      noun={noun}
      lines={[tokens.map(({ name }) => name).join(', ')]}
    >
      <LastCall tokens={tokens} />
    </Column>
  )
}

function NextRun({ schedules }: Pick<Dependants, 'schedules'>) {
  const [next] = schedules.flatMap(({ nextDueAt }) => nextDueAt ?? []).sort()
  return next === undefined ? null : (
    <p className="text-text-3">
      next <Time time={next} />
    </p>
  )
}

function LastCall({ tokens }: Pick<Dependants, 'tokens'>) {
  const last = tokens
    .flatMap(({ lastUsed }) => lastUsed ?? [])
    .sort()
    .at(-1)
  if (last === undefined) return null
  return (
    <p className="text-text-3">
      last call <RelativeTime time={last} />
    </p>
  )
}
