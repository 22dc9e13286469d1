import type { HookDelivery, OwnToken, TokenRun } from '@catenary/contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowRightIcon, CornerDownRightIcon, MailIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { ErrorState } from '../../../components/error-state.tsx'
import { FoldArrow } from '../../../components/fold-arrow.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { useFold } from '../../../lib/use-fold.ts'
import { formatCost, formatSeconds } from '../../runs/format-metrics.ts'
import { nameOf } from '../token-texts.ts'
import { useTokenRuns } from '../tokens.queries.ts'
import { deliveriesQuery, startedRunQuery } from './hooks.queries.ts'
import { type InputField, inputFields } from './input-fields.ts'

const FIELDS_SHOWN = 5

/** What came in at an address, with what became of it; refused ones too. */
export function Deliveries({ hook }: { hook: OwnToken }) {
  const headingId = useId()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(hook.id),
  )
  const runs = useTokenRuns(hook.id).data?.pages.flat()
  const deliveries = data?.pages.flatMap(({ items }) => items)
  return (
    <section
      aria-labelledby={headingId}
      className="@container grid min-w-0 grid-cols-[minmax(0,1fr)] rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line py-2 pr-2.5 pl-3.5">
        <h3 id={headingId} className="text-sm font-semibold tracking-normal">
          Deliveries
        </h3>
        <p dir="auto" className="min-w-0 truncate text-sm text-text-3">
          {nameOf(hook)}
        </p>
        <Link
          href={`/chains/${hook.chainId}?history=open`}
          className="relative ml-auto flex items-center gap-1 text-sm text-text-2 after:absolute after:-inset-1.5 hover:underline pointer-coarse:after:-inset-3.5"
        >
          All runs
          <ArrowRightIcon aria-hidden className="size-4" />
        </Link>
      </div>
      {!deliveries && !error && (
        <div role="status" className="grid gap-2 p-3.5">
          <span className="sr-only">Loading deliveries</span>
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
      )}
      {!deliveries && error && (
        <ErrorState title="The deliveries could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {deliveries?.length === 0 && (
        <p className="px-3.5 py-5 text-center text-sm text-text-2">Nothing came in yet.</p>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              run={runs?.find(({ id }) => id === delivery.executionId)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          className="my-2.5 justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older deliveries
        </Button>
      )}
    </section>
  )
}

interface DeliveryProps {
  delivery: HookDelivery
  run: TokenRun | undefined
}

function Delivery({ delivery, run }: DeliveryProps) {
  const { at, address, deliveryId, executionId, repeats, lastAt } = delivery
  const fold = useFold()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] text-sm">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-3.5 py-2 @2xl:grid-cols-[7.5rem_9rem_minmax(0,1fr)_minmax(0,13rem)_8rem_2rem]">
        <RelativeTime time={at} className="text-text-2" />
        <code dir="ltr" className="truncate font-mono text-xs text-text-3 @max-2xl:col-start-1">
          {address}
        </code>
        <code
          dir="ltr"
          title={deliveryId ?? undefined}
          className="truncate font-mono text-xs text-text-2 @max-2xl:col-start-1"
        >
          {deliveryId ?? 'none'}
        </code>
        <div className="min-w-0 @max-2xl:col-start-1">
          <Outcome delivery={delivery} run={run} />
        </div>
        <p className="truncate text-text-3 @max-2xl:col-start-1 @2xl:text-right">{run && metricsOf(run)}</p>
        {executionId !== null && run && (
          <button
            type="button"
            {...fold.button}
            aria-label={`What came with run ${executionId}`}
            className="grid size-7 place-items-center justify-self-end rounded-tag hover:bg-hover @max-2xl:col-start-2 @max-2xl:row-start-1 pointer-coarse:size-11"
          >
            <FoldArrow isOpen={fold.isOpen} />
          </button>
        )}
        {repeats > 0 && (
          <p className="col-span-full flex flex-wrap items-center gap-x-2 text-xs text-text-2 @2xl:col-start-2">
            <CornerDownRightIcon aria-hidden className="size-3.5 text-text-3" />
            same delivery × {repeats}, not run again
            <span className="text-text-3">
              last <RelativeTime time={lastAt} />
            </span>
          </p>
        )}
      </div>
      {executionId !== null && (
        <div {...fold.panel} className="px-3.5 pb-3">
          {fold.isOpen && <CameAs executionId={executionId} />}
        </div>
      )}
    </li>
  )
}

function Outcome({ delivery: { status, reason, executionId }, run }: DeliveryProps) {
  if (executionId === null)
    return (
      <span className="text-danger wrap-anywhere">
        {status}, {reason}
      </span>
    )
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="font-medium">#{executionId}</span>
      {run && <Badge variant={BADGES[run.status]}>{run.waitingFor ? 'waiting' : run.status}</Badge>}
    </span>
  )
}

const BADGES = { running: 'accent', completed: 'ok', failed: 'danger', cancelled: 'neutral' } as const

const metricsOf = ({ durationMs, costUsd }: TokenRun): string =>
  [durationMs !== null && `${formatSeconds(durationMs)} s`, costUsd !== null && formatCost(costUsd)]
    .filter(Boolean)
    .join(' · ')

/** The input of its run, and the fields of that if it is JSON. */
function CameAs({ executionId }: { executionId: number }) {
  const { data: run, error } = useQuery(startedRunQuery(executionId))
  const [showsAll, setShowsAll] = useState(false)
  if (error) return <p className="text-sm text-danger">{errorMessage(error)}</p>
  if (!run) return <Skeleton className="h-16" />
  // One's own runs, which are seen whole.
  const input = run.sight === 'presence' ? '' : (run.input ?? '')
  const fields = inputFields(input)
  const shown = showsAll ? fields : fields?.slice(0, FIELDS_SHOWN)
  const size = formatBytes(new Blob([input]).size)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] divide-y divide-line rounded-control border border-line bg-surface">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2.5 py-1.5 text-text-2">
        Came as <Reference path="" />
        <Badge variant="neutral">
          <MailIcon aria-hidden />
          from outside
        </Badge>
        <span>{fields ? `JSON, ${size}, ${fields.length} fields` : `text, ${size}`}</span>
        {fields && fields.length > FIELDS_SHOWN && (
          <Button
            variant="ghost"
            size="sm"
            className="ml-auto"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? 'Show fewer' : 'Show all'}
          </Button>
        )}
      </p>
      {shown ? (
        <dl className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
          {shown.map((field) => (
            <Field key={field.path} {...field} />
          ))}
        </dl>
      ) : (
        <p dir="auto" className="max-h-60 overflow-y-auto px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere">
          {input}
        </p>
      )}
    </div>
  )
}

function Field({ path, value }: InputField) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 px-2.5 py-1.5 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <dt className="min-w-0">
        <Reference path={path} />
      </dt>
      <dd dir="auto" className="line-clamp-3 wrap-anywhere">
        {value}
      </dd>
    </div>
  )
}

function Reference({ path }: { path: string }) {
  return (
    <code dir="ltr" className="rounded-[4px] bg-out-soft px-1 font-mono text-xs text-out wrap-anywhere">
      {`{{input${path}}}`}
    </code>
  )
}

const formatBytes = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : `${(bytes / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`
