import type { WaitingFor } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { AskBody } from './ask-card.tsx'
import { askQuery } from './asks.queries.ts'
import { WaitingLine } from './waiting-line.tsx'

/** What a shown run asks, where it may be answered; whoever sees the run alone is told whom it waits for. */
export function AskPanel({ waiting }: { waiting: WaitingFor }) {
  const { data: ask } = useQuery(askQuery(waiting.askId))
  if (!ask) {
    return (
      <p className="text-sm text-text-2">
        <WaitingLine waiting={waiting} />
      </p>
    )
  }
  return (
    <section aria-label={ask.question} className="min-w-0 overflow-hidden rounded-control border border-line">
      <h3 dir="auto" className="border-b border-line px-4 py-2.5 text-sm font-semibold wrap-anywhere">
        {ask.question}
      </h3>
      <AskBody ask={ask} />
    </section>
  )
}
