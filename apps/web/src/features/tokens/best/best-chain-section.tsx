import { type BestToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { ANY_MODEL } from '../curl-command.ts'
import { TokenCard } from '../token-card.tsx'
import { bestTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { type TokenFormSlot, useTokenDialogs } from '../use-token-dialogs.tsx'
import { BEST_TOKEN_COLUMNS, BestTokenRow } from './best-token-row.tsx'
import { Selections } from './selections.tsx'

export interface BestChainSectionProps {
  canManage: boolean
  renderForm: (slot: TokenFormSlot<BestToken>) => ReactNode
}

export function BestChainSection({ canManage, renderForm }: BestChainSectionProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(bestTokensQuery)
  const { create, actionsOf, dialogs } = useTokenDialogs({ tokens, canManage, renderForm })
  const [showsOf, setShowsOf] = useState<number | null>(null)
  const hasTokens = tokens !== undefined && tokens.length > 0
  const seen = tokens?.find(({ id }) => id === showsOf)
  return (
    <section id="best-chain" aria-labelledby={headingId} className="relative grid min-w-0 scroll-mt-4 gap-3">
      <TokenCard
        headingId={headingId}
        title="Best Chain API Access"
        note={
          <p className="text-sm text-text-3 @max-xl:order-last @max-xl:w-full">
            one token, and the fitting chain is picked for each request
          </p>
        }
        refusal={canManage ? undefined : TOKEN_TEXTS.mayNotCreate}
        onCreate={create}
        columns={BEST_TOKEN_COLUMNS}
        tokens={tokens}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="grid gap-0.5">
            <p className="text-sm text-text">{TOKEN_TEXTS.noBestTokens}</p>
            <p className="text-sm text-text-2">{TOKEN_TEXTS.noBestTokensHint}</p>
            <LearnMore about="bestChain" className="justify-self-start" />
          </div>
        }
      >
        {tokens?.map((token) => (
          <BestTokenRow
            key={token.id}
            token={token}
            {...actionsOf(token)}
            onShowSelections={() => setShowsOf(token.id)}
          />
        ))}
      </TokenCard>
      {tokens && (
        <Selections
          key={showsOf}
          token={seen ?? null}
          showsEmpty={hasTokens}
          onShowAll={() => setShowsOf(null)}
        />
      )}
      {hasTokens && <UsageExamples models={[ANY_MODEL]} />}
      {dialogs}
    </section>
  )
}
