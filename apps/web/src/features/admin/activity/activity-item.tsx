import type { ActivityDoor, ActivityRow } from '@catenary/contracts'
import {
  AppWindowIcon,
  BotIcon,
  CalendarClockIcon,
  ChevronRightIcon,
  CogIcon,
  KeyRoundIcon,
  type LucideIcon,
  ScaleIcon,
  TerminalIcon,
} from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import { Fact } from '../../../components/fact.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { cn } from '../../../lib/utils.ts'
import { DOOR_NAMES } from './activity-filters.tsx'
import { isRefused, pageOf, sentenceOf } from './activity-sentences.ts'

const DOOR_ICONS: Record<ActivityDoor, LucideIcon> = {
  page: AppWindowIcon,
  token: KeyRoundIcon,
  agent: BotIcon,
  schedule: CalendarClockIcon,
  rule: ScaleIcon,
  'command line': TerminalIcon,
  job: CogIcon,
}

interface ItemProps {
  row: ActivityRow
  isOpen: boolean
  onToggle: () => void
}

export function ActivityItem({ row, isOpen, onToggle }: ItemProps) {
  const { at, address, count } = row
  const id = useId()
  const refused = isRefused(row)
  return (
    <li className={cn(refused && 'border-l-2 border-l-danger')}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="grid w-full grid-cols-[5rem_8rem_minmax(0,1fr)_7.5rem_8rem_1rem] items-center gap-x-3 px-3.5 py-2 text-left text-sm hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_1rem] max-md:gap-y-0.5 pointer-coarse:min-h-11"
        onClick={onToggle}
      >
        <Time
          time={at}
          as="clock"
          className="text-text-2 tabular-nums max-md:col-start-1 max-md:row-start-3 max-md:text-xs"
        />
        <Person row={row} />
        <span dir="auto" className={cn('min-w-0 wrap-anywhere', refused ? 'text-danger' : 'text-text')}>
          <SentenceText row={row} />
          {count > 1 && <Badge className="ml-2">{`× ${count.toLocaleString('en')}`}</Badge>}
        </span>
        <Door door={row.door} />
        <span className="truncate font-mono text-xs text-text-2 max-md:hidden">{address}</span>
        <ChevronRightIcon
          className={cn(
            'size-4 text-text-3 transition-transform max-md:col-start-2 max-md:row-start-1',
            isOpen && 'rotate-90',
          )}
        />
      </button>
      {isOpen && <Details id={id} row={row} />}
    </li>
  )
}

function Person({ row: { person, after } }: { row: ActivityRow }) {
  const typed = after?.typedName
  const name =
    person === null ? (typeof typed === 'string' ? typed : '–') : (person.username ?? 'deleted person')
  return (
    <span
      dir="auto"
      className={cn('truncate max-md:col-start-1', person?.username ? 'font-medium' : 'text-text-3')}
    >
      {name}
    </span>
  )
}

function SentenceText({ row }: { row: ActivityRow }) {
  const { before, name, after } = sentenceOf(row)
  return (
    <>
      {before}
      {name !== null && (
        <>
          {' '}
          <strong dir="auto" className="font-medium">
            {name}
          </strong>
        </>
      )}
      {after !== '' && ` ${after}`}
    </>
  )
}

function Door({ door }: Pick<ActivityRow, 'door'>) {
  if (door === null) return <span className="text-text-3 max-md:hidden">–</span>
  const Icon = DOOR_ICONS[door]
  return (
    <span className="flex items-center gap-1.5 text-text-2 max-md:hidden">
      <Icon className="size-4 shrink-0" />
      {DOOR_NAMES[door]}
    </span>
  )
}

function Details({ id, row }: { id: string; row: ActivityRow }) {
  const { at, kind, object, door, address, reason, link } = row
  const page = pageOf(object)
  return (
    <div
      id={id}
      className="grid gap-3 border-t border-line bg-surface px-3.5 py-3 md:pl-[calc(5rem+8rem+38px)]"
    >
      {reason !== null && (
        <p dir="auto" className="max-w-xl text-sm wrap-anywhere text-text">
          {`“${reason}”`}
        </p>
      )}
      <Changes row={row} />
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(148px,1fr))] gap-x-4 gap-y-2.5 text-sm">
        <Fact name="When">
          <Time time={at} as="second" />
        </Fact>
        <Fact name="Kind">
          <code className="text-xs">{kind}</code>
        </Fact>
        {object.id !== null && (
          <Fact name="Object">
            <code className="text-xs">{`${object.type}:${object.id}`}</code>
          </Fact>
        )}
        {door !== null && <Fact name="Door">{DOOR_NAMES[door]}</Fact>}
        {address !== null && <Fact name="Address">{address}</Fact>}
        <Fact name="Hash chain">
          {link === null ? 'within a minute' : `Link ${link.number.toLocaleString('en')}`}
        </Fact>
      </dl>
      {page !== null && (
        <Link
          href={page}
          className="inline-flex min-h-6 items-center justify-self-start text-sm font-medium text-accent-text hover:underline pointer-coarse:min-h-11"
        >
          Open {object.name}
        </Link>
      )}
    </div>
  )
}

function Changes({ row: { before, after } }: { row: ActivityRow }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => name !== 'moveId',
  )
  if (names.length === 0) return null
  return (
    <table className="w-full max-w-xl border-separate border-spacing-0 overflow-hidden rounded-control border border-line text-left text-xs">
      <thead className="text-text-3">
        <tr>
          <th className="px-2.5 py-1.5 font-medium">Field</th>
          <th className="px-2.5 py-1.5 font-medium">Before</th>
          <th className="px-2.5 py-1.5 font-medium">After</th>
        </tr>
      </thead>
      <tbody className="font-mono">
        {names.map((name) => {
          const [was, is] = [shown(before?.[name]), shown(after?.[name])]
          const isOther = was !== is
          return (
            <tr key={name}>
              <th scope="row" className="px-2.5 py-1 font-normal text-text-2">
                {name}
              </th>
              <td className="px-2.5 py-1 wrap-anywhere">
                <span className={cn(isOther && was !== '–' && 'rounded-tag bg-danger-soft px-1 text-danger')}>
                  {was}
                </span>
              </td>
              <td className="px-2.5 py-1 wrap-anywhere">
                <span className={cn(isOther && is !== '–' && 'rounded-tag bg-ok-soft px-1 text-ok')}>
                  {is}
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
