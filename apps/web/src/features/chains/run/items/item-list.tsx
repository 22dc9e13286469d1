import { ITEMS_SHOWN, type ItemCounts, type ListedRunItem, type ListedRunStep } from '@catenary/contracts'
import { useMemo, useState } from 'react'
import { Fact } from '../../../../components/fact.tsx'
import { FoldArrow } from '../../../../components/fold-arrow.tsx'
import { Badge } from '../../../../components/ui/badge.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { useFold } from '../../../../lib/use-fold.ts'
import { AnsweredBy } from '../../../runs/answered-by.tsx'
import { formatCached, formatCost, formatCount, formatSeconds } from '../../../runs/format-metrics.ts'
import { formatWaited } from '../../../runs/format-wait.ts'
import { ResultViewer } from '../../../runs/result-viewer.tsx'
import { ChainRenderedInput } from '../chain-rendered-input.tsx'
import { ChainStepStatus } from '../chain-step-status.tsx'
import { useItems, useWholeItem } from './items.queries.ts'

export interface ItemListProps {
  runId: number
  position: number
  step: ListedRunStep | undefined
  /** Of the run, as far as they are known. */
  steps: readonly ListedRunStep[]
  counts: ItemCounts
  isRunning: boolean
}

/** A page of the items at a time, so that two hundred weigh no more than twenty. */
export function ItemList({ counts, step, ...of }: ItemListProps) {
  const [isFailedOnly, setIsFailedOnly] = useState(false)
  const [page, setPage] = useState(0)
  const status = isFailedOnly && counts.failed > 0 ? 'failed' : null
  const { data, isError, isFetching, isFetchingNextPage, fetchNextPage, isPlaceholderData } = useItems({
    ...of,
    step,
    status,
  })
  const count = status === null ? counts.all : counts.failed
  const last = Math.max(0, Math.ceil(count / ITEMS_SHOWN) - 1)
  const shown = Math.min(page, last, Math.max(0, (data?.pages.length ?? 1) - 1))
  const items = data?.pages[shown]?.items ?? []
  const first = shown * ITEMS_SHOWN
  const next = async () => {
    if (data && shown + 1 >= data.pages.length) await fetchNextPage()
    setPage(shown + 1)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {counts.failed > 0 && counts.failed < counts.all && (
        <SegmentedControl
          aria-label="Which items"
          value={status ?? 'all'}
          onValueChange={(which) => {
            setIsFailedOnly(which === 'failed')
            setPage(0)
          }}
          className="justify-self-start"
        >
          <SegmentedControlItem value="all">All {counts.all}</SegmentedControlItem>
          <SegmentedControlItem value="failed">Failed {counts.failed}</SegmentedControlItem>
        </SegmentedControl>
      )}
      {data ? (
        <ol
          aria-label="Items"
          className="grid min-w-0 divide-y divide-line rounded-control border border-line"
        >
          {items.map((item) => (
            <ItemRow key={item.index} item={item} step={step} {...of} />
          ))}
        </ol>
      ) : (
        <p className="text-sm text-text-3">{isError ? 'Failed to load the items' : 'Loading…'}</p>
      )}
      {last > 0 && (
        <nav
          aria-label={`Pages of items of step ${of.position + 1}`}
          className="flex flex-wrap items-center gap-2 text-sm text-text-3"
        >
          <p aria-live="polite" className="flex-1">
            {first + 1}–{first + Math.max(1, items.length)} of {count}
          </p>
          <Button variant="secondary" size="sm" disabled={shown === 0} onClick={() => setPage(shown - 1)}>
            Previous
          </Button>
          <Button
            variant="secondary"
            size="sm"
            disabled={shown >= last || (isPlaceholderData && isFetching)}
            pending={isFetchingNextPage}
            onClick={() => void next()}
          >
            Next
          </Button>
        </nav>
      )}
    </div>
  )
}

interface ItemProps extends Pick<ItemListProps, 'runId' | 'position' | 'step' | 'steps' | 'isRunning'> {
  item: ListedRunItem
}

function ItemRow(props: ItemProps) {
  const { item, isRunning } = props
  const { isOpen, button, panel } = useFold()
  return (
    <li className="min-w-0">
      <button
        type="button"
        {...button}
        className="flex min-h-9 w-full min-w-0 items-center gap-2 px-2.5 py-1 text-start text-sm outline-offset-[-3px] hover:bg-hover/50 pointer-coarse:min-h-11"
      >
        <FoldArrow isOpen={isOpen} className="size-4" />
        <span className="text-text-3 tabular-nums">{item.index + 1}</span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {item.item}
        </span>
        {item.costUsd !== null && (
          <span className="text-xs text-text-3 tabular-nums max-md:hidden">{formatCost(item.costUsd)}</span>
        )}
        {item.status === 'waiting' && !isRunning ? (
          <Badge className="text-text-3">not run</Badge>
        ) : (
          <ChainStepStatus step={item} isBrief />
        )}
      </button>
      <div {...panel}>{isOpen && <ItemBody {...props} />}</div>
    </li>
  )
}

/** What of an item was asked and answered. */
function ItemBody({ runId, position, step, steps, item: listed }: ItemProps) {
  const { data: item, isError } = useWholeItem({ runId, position, item: listed })
  const { index } = listed
  const loop = step?.settings?.forEach
  const place = useMemo(() => ({ index, loop }), [index, loop])
  const rendered = useMemo(() => item && { ...item, position, attachments: [] }, [item, position])
  if (!item || !rendered) {
    if (!isError) return <Skeleton className="m-2.5 h-16" />
    return <p className="px-2.5 pb-2.5 text-sm text-danger">Failed to load the item</p>
  }
  const { aiResponse, error, skipReason } = item
  return (
    <div className="grid min-w-0 gap-3 border-t border-line bg-inset p-2.5">
      {skipReason !== null && <p className="text-sm text-text-2 wrap-anywhere">{skipReason}</p>}
      {error !== null && <p className="text-sm text-danger wrap-anywhere">{error}</p>}
      <AnsweredBy run={{ model: step?.model ?? null, fallback: item.fallback }} />
      {item.modelId !== null && (
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-x-3 gap-y-1.5 text-sm">
          <Fact name="Tokens">
            {formatCount(item.inputTokens)} in, {formatCount(item.outputTokens)} out
          </Fact>
          <Fact name="Cost">{formatCost(item.costUsd)}</Fact>
          {formatCached(item) !== '' && <Fact name="Cache">{formatCached(item)}</Fact>}
          <Fact name="Duration">
            {item.durationMs === null ? '–' : `${formatSeconds(item.durationMs)} s`}
          </Fact>
          {formatWaited(item) !== '' && <Fact name="Wait">{formatWaited(item)}</Fact>}
          <Fact name="Retries">{item.retries}</Fact>
          <Fact name="Model">{item.modelId}</Fact>
        </dl>
      )}
      {item.item !== null && item.inputContent === null && (
        <p dir="auto" className="text-sm whitespace-pre-wrap text-text-2 wrap-anywhere">
          {item.item}
        </p>
      )}
      {item.inputContent !== null && (
        <ChainRenderedInput title="Input" executionId={runId} step={rendered} steps={steps} item={place} />
      )}
      {aiResponse !== null && aiResponse !== '' && (
        <ResultViewer title="Output" text={aiResponse} structured={item.structured} />
      )}
    </div>
  )
}
