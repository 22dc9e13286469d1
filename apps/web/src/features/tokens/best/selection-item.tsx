import { type BestChainSelection, isFound, type ListedSelection } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { FoldArrow } from '../../../components/fold-arrow.tsx'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { useFold } from '../../../lib/use-fold.ts'
import { cn } from '../../../lib/utils.ts'
import { formatCost } from '../../runs/format-metrics.ts'
import { EXAMPLES, formatConfidence, tokenOf, WAYS } from './selection-texts.ts'
import { selectionQuery, useCorrectSelection } from './selections.queries.ts'

export interface SelectionItemProps {
  selection: ListedSelection
  showsToken: boolean
}

export function SelectionItem({ selection, showsToken }: SelectionItemProps) {
  const { isOpen, button, panel } = useFold()
  const { request, chainName, confidence, way, asked, correctedTo, createdAt } = selection
  return (
    <li data-selection-id={selection.id}>
      <div className="relative grid gap-1 px-3.5 py-2.5 hover:bg-hover/60 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,15rem)_7rem] @2xl:items-center @2xl:gap-4">
        <button
          type="button"
          {...button}
          className="flex min-w-0 items-start gap-1 text-left text-sm after:absolute after:inset-0"
        >
          <FoldArrow isOpen={isOpen} className="mt-[3px]" />
          <span dir="auto" className={cn('wrap-anywhere', isOpen ? 'whitespace-pre-wrap' : 'line-clamp-2')}>
            {request}
          </span>
        </button>
        <div className="grid min-w-0 gap-1 @max-2xl:pl-[18px]">
          <p className="flex min-w-0 items-center gap-2 text-sm">
            <span
              dir="auto"
              className={cn('truncate font-medium', correctedTo && 'text-text-3 line-through')}
            >
              {chainName}
            </span>
            {correctedTo && (
              <span dir="auto" className="truncate font-medium">
                {correctedTo.chainName}
              </span>
            )}
            {asked && <Badge variant="warn">asked back</Badge>}
          </p>
          {confidence === null ? (
            <p className="truncate text-xs text-text-3">{WAYS[way]}</p>
          ) : (
            <p className="flex items-center gap-2 text-xs text-text-3">
              <span aria-hidden className="h-1 flex-1 overflow-hidden rounded-full bg-hover">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${confidence * 100}%` }}
                />
              </span>
              <span className="sr-only">confidence</span>
              <span className="text-text-2 tabular-nums">{formatConfidence(confidence)}</span>
            </p>
          )}
        </div>
        <p className="truncate text-xs text-text-3 @max-2xl:pl-[18px] @2xl:text-right">
          <RelativeTime time={createdAt} />
          {showsToken && <span className="block truncate">{tokenOf(selection)}</span>}
        </p>
      </div>
      <div {...panel} className="border-t border-line bg-inset">
        {isOpen && <SelectionDetails selection={selection} />}
      </div>
    </li>
  )
}

function SelectionDetails({ selection: listed }: { selection: ListedSelection }) {
  const isWhole = listed.scoresCount === undefined
  const { data } = useQuery({ ...selectionQuery(listed.id), enabled: !isWhole })
  const selection = data ?? listed
  const { id, way, reasoning, scores, chainId, executionId, costUsd, bestScore } = selection
  return (
    <div className="grid gap-4 px-3.5 py-3.5 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] @2xl:gap-6">
      <div className="grid min-w-0 content-start gap-3 text-sm">
        <p className="text-text-2 wrap-anywhere">
          <span className="text-text-3">Chosen {WAYS[way]}. </span>
          {reasoning}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-text-3">
          {bestScore !== null && <span>Best keyword score {formatConfidence(bestScore)}</span>}
          {costUsd !== null && <span>The choice cost {formatCost(costUsd)}</span>}
          {executionId !== null && chainId !== null && (
            <Link
              href={`/chains/${chainId}?history=open`}
              className="relative text-accent-text underline-offset-3 after:absolute after:-inset-1.5 hover:underline pointer-coarse:after:-inset-4"
            >
              Run #{executionId}
            </Link>
          )}
          {executionId === null && <span>Nothing ran</span>}
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <ScoreBars label={`Scores of request ${id}`} scores={scores} chosenId={chainId} />
        {scores.length > 1 && <Correction selection={selection} />}
      </div>
    </div>
  )
}

const UNSAID = ''

function Correction({ selection }: { selection: BestChainSelection }) {
  const { id, scores, chainId, correctedTo } = selection
  const { mutate } = useCorrectSelection()
  const others = scores.filter((score) => score.chainId !== (correctedTo?.chainId ?? chainId))
  const nameOf = (value: string) => scores.find(({ chainId }) => String(chainId) === value)?.chainName
  const correct = (chosen: string) =>
    mutate(
      { id, chainId: Number(chosen) },
      {
        onSuccess: ({ example }) => toast({ title: 'Selection corrected', description: EXAMPLES[example] }),
        onError: toastFailure('Error correcting selection'),
      },
    )
  return (
    <Field label="Should have been …" className="@2xl:max-w-xs">
      <SearchPicker
        label="Chains"
        placeholder="Search chains"
        nothingFound="No chain has that name."
        value={correctedTo ? String(correctedTo.chainId) : UNSAID}
        find={(search) =>
          others.filter(({ chainName }) => isFound(chainName, search)).map(({ chainId }) => String(chainId))
        }
        describe={(value) => ({
          title: value === UNSAID ? 'Another chain' : (nameOf(value) ?? correctedTo?.chainName ?? ''),
        })}
        onChange={correct}
      />
    </Field>
  )
}

const SHOWN_FIRST = 5

interface ScoreBarsProps {
  label: string
  scores: BestChainSelection['scores']
  chosenId: number | null
}

/** How well the words of each chain fit, by the best one; those that the model did not see are paler. */
function ScoreBars({ label, scores, chosenId }: ScoreBarsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? scores : scores.slice(0, SHOWN_FIRST)
  const rest = scores.length - shown.length
  return (
    <div className="grid gap-2">
      <ul aria-label={label} className="grid gap-1.5">
        {shown.map(({ chainId, chainName, score, shown }) => {
          const isChosen = chainId === chosenId
          return (
            <li
              key={chainId}
              title={shown ? undefined : 'Scored too low to be shown to the model'}
              className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_2.25rem] items-center gap-2.5 text-xs"
            >
              <span className={cn('truncate', isChosen ? 'font-medium text-text' : 'text-text-2')}>
                {chainName}
                {isChosen && <span className="sr-only"> (chosen)</span>}
              </span>
              <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
                <span
                  className={cn(
                    'block h-full rounded-full',
                    isChosen ? 'bg-accent' : shown ? 'bg-line-strong' : 'bg-line',
                  )}
                  style={{ width: `${score * 100}%` }}
                />
              </span>
              <span className="text-right text-text-2 tabular-nums">{score.toFixed(2)}</span>
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <Button variant="link" className="justify-self-start text-xs" onClick={() => setShowsAll(true)}>
          {rest} more
        </Button>
      )}
    </div>
  )
}
