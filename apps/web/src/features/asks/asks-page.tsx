import type { ListedAsk } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon, InboxIcon } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Time } from '../../components/time/time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useAddress } from '../../lib/address.ts'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useList } from '../../lib/lists.ts'
import { cn } from '../../lib/utils.ts'
import { AskBody, AskOrigin } from './ask-card.tsx'
import { OutcomeLine } from './ask-outcome.tsx'
import { askedText } from './ask-texts.ts'
import { askQuery, asksQuery, type ShownAsks, waitingCountQuery } from './asks.queries.ts'

const TITLE = 'Waiting for you'

/** What runs ask: first what one may answer, then what others are to answer for one's own runs; or all there were. */
export function AsksPage() {
  useDocumentTitle(TITLE)
  const isPhone = useMediaQuery(PHONE)
  const [params, change] = useAddress()
  const shown: ShownAsks = params.get('show') === 'all' ? 'all' : 'open'
  const { data: waiting } = useQuery(waitingCountQuery)
  const { list, error, refetch, isFound, isCutShort, loadMore, retryMore } = useList(asksQuery(shown))
  const choice = (
    <SegmentedControl
      aria-label="Questions shown"
      value={shown}
      onValueChange={(next) => change({ show: next === 'all' ? next : null })}
      className="justify-self-start"
    >
      <SegmentedControlItem value="open">Open</SegmentedControlItem>
      <SegmentedControlItem value="all">All</SegmentedControlItem>
    </SegmentedControl>
  )
  return (
    <>
      <PageHeader
        title={TITLE}
        badges={
          waiting !== undefined &&
          waiting.count > 0 && (
            <Badge variant="accent" className="tabular-nums">
              {waiting.count}
            </Badge>
          )
        }
        view={!isPhone && choice}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[688px] grid-cols-[minmax(0,1fr)] content-start gap-5 px-6 pt-5 pb-16 max-md:gap-3.5 max-md:px-3.5 max-md:pt-3.5">
          {isPhone && choice}
          {error ? (
            <ErrorState error={error} onRetry={refetch} />
          ) : !list || !isFound ? (
            <div role="status" className="grid gap-3">
              <span className="sr-only">Loading questions</span>
              <Skeleton className="h-56" />
              <Skeleton className="h-20" />
            </div>
          ) : shown === 'open' ? (
            <OpenAsks asks={list.items} />
          ) : (
            <AllAsks asks={list.items} />
          )}
          {list && isFound && !list.isWhole && (
            <Button
              variant="secondary"
              className="justify-self-center"
              onClick={isCutShort ? retryMore : loadMore}
            >
              Show older questions
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

interface AsksProps {
  asks: readonly ListedAsk[]
}

function OpenAsks({ asks }: AsksProps) {
  const mine = asks.filter(({ canAnswer }) => canAnswer)
  const others = asks.filter(({ canAnswer }) => !canAnswer)
  // The next one opens by itself, unless one was chosen or all were closed.
  const [chosen, setChosen] = useState<number | 'none' | 'next'>('next')
  const list = useRef<HTMLElement>(null)
  const openId = chosen === 'next' ? mine[0]?.id : chosen
  const goOn = () => {
    setChosen('next')
    list.current?.focus()
  }
  return (
    <>
      <section
        ref={list}
        tabIndex={-1}
        aria-label="Questions for you"
        className="grid grid-cols-[minmax(0,1fr)] gap-3 outline-none"
      >
        {mine.length === 0 && <NoneOpen />}
        {mine.map((ask) => (
          <FoldedAsk
            key={ask.id}
            ask={ask}
            isOpen={openId === ask.id}
            onToggle={() => setChosen(openId === ask.id ? 'none' : ask.id)}
            onAnswered={goOn}
          />
        ))}
      </section>
      {others.length > 0 && (
        <section aria-labelledby="asks-of-others" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 id="asks-of-others" className="text-sm font-medium text-text-2">
            Your runs wait for others
          </h2>
          <Rows label="Questions for others">
            {others.map((ask) => (
              <AskRow key={ask.id} ask={ask}>
                Waiting for {askedText(ask)}, until <Time time={ask.deadline} />
              </AskRow>
            ))}
          </Rows>
        </section>
      )}
    </>
  )
}

interface FoldedAskProps {
  ask: ListedAsk
  isOpen: boolean
  onToggle: () => void
  onAnswered: () => void
}

function FoldedAsk({ ask, isOpen, onToggle, onAnswered }: FoldedAskProps) {
  const panelId = useId()
  return (
    <article aria-label={ask.question} className="min-w-0 rounded-card border border-line bg-surface">
      <header className={cn('flex items-start gap-2 px-4 py-3', isOpen && 'border-b border-line')}>
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 className="text-md font-semibold">
            <button
              type="button"
              dir="auto"
              aria-label={nameOf(ask)}
              aria-expanded={isOpen}
              aria-controls={panelId}
              onClick={onToggle}
              className="min-h-6 w-full rounded-tag text-start wrap-anywhere pointer-coarse:min-h-11"
            >
              {ask.question}
            </button>
          </h2>
          <AskOrigin ask={ask} />
        </div>
        <ChevronDownIcon
          aria-hidden="true"
          className={cn('mt-1 size-4 shrink-0 text-text-3', isOpen && 'rotate-180')}
        />
      </header>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && <WholeAsk id={ask.id} onAnswered={onAnswered} />}
      </div>
    </article>
  )
}

/** The list has the beginning of a text alone. */
function WholeAsk({ id, onAnswered }: { id: number; onAnswered: () => void }) {
  const { data: ask, error, refetch } = useQuery(askQuery(id))
  if (ask) return <AskBody ask={ask} onAnswered={onAnswered} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
  return <Skeleton className="m-4 h-32" />
}

function AllAsks({ asks }: AsksProps) {
  if (asks.length === 0) return <NoneOpen />
  return (
    <Rows label="All questions">
      {asks.map((ask) => (
        <AskRow key={ask.id} ask={ask}>
          {ask.status === 'open' ? (
            <>
              {ask.canAnswer ? 'Waiting for you' : `Waiting for ${askedText(ask)}`}, until{' '}
              <Time time={ask.deadline} />
            </>
          ) : null}
        </AskRow>
      ))}
    </Rows>
  )
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-card border border-line bg-surface">
      {children}
    </ul>
  )
}

/** Runs of a chain ask the same. */
const nameOf = ({ question, executionId }: ListedAsk) => `${question}, execution #${executionId}`

function AskRow({ ask, children }: { ask: ListedAsk; children: ReactNode }) {
  return (
    <li className="grid gap-0.5 px-4 py-2.5">
      <Link
        href={`/asks/${ask.id}`}
        dir="auto"
        aria-label={nameOf(ask)}
        className="min-h-6 text-base font-medium underline-offset-3 wrap-anywhere hover:underline pointer-coarse:py-3"
      >
        {ask.question}
      </Link>
      <AskOrigin ask={ask} />
      {children ? <p className="text-sm text-text-2 wrap-anywhere">{children}</p> : <OutcomeLine ask={ask} />}
    </li>
  )
}

function NoneOpen() {
  return (
    <EmptyState
      icon={<InboxIcon />}
      title="Nothing waits for you"
      about="asks"
      description="A chain can stop at a step that asks somebody before it goes on. What is asked of you is shown here, and told by email."
    />
  )
}
