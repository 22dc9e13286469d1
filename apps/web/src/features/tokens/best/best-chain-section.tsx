import { TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { ANY_MODEL } from '../curl-command.ts'
import { TokenCard } from '../token-card.tsx'
import { bestTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { useTokenDialogs } from '../use-token-dialogs.tsx'
import { BEST_TOKEN_COLUMNS, BestTokenRow } from './best-token-row.tsx'
import { Selections } from './selections.tsx'

const START = { kind: 'best' } as const

export interface BestChainSectionProps {
  canManage?: boolean
}

export default function BestChainSection({ canManage = true }: BestChainSectionProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(bestTokensQuery)
  const { create, edit, rotate, remove, dialogs } = useTokenDialogs({ tokens, canManage, start: START })
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
            one token; Catenary picks the best chain for each request
          </p>
        }
        refusal={canManage ? undefined : TOKEN_TEXTS.mayNotCreate}
        onCreate={() => create()}
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
            canManage={canManage}
            onEdit={() => edit(token)}
            onRotate={() => rotate(token)}
            onDelete={() => remove(token)}
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
