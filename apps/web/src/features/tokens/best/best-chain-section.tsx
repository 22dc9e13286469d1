import { type BestToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { cn } from '../../../lib/utils.ts'
import { ANY_MODEL } from '../curl-command.ts'
import { CreatedAt, LastUsed } from '../last-used.tsx'
import { createdColumn, FOLDED, lastUsedColumn, type TokenColumn } from '../token-columns.tsx'
import { TokenSection } from '../token-section.tsx'
import { isEmptied } from '../token-texts.ts'
import { bestTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { formatConfidence } from './selection-texts.ts'
import { Selections } from './selections.tsx'

const START = { kind: 'best' } as const

const COLUMNS: readonly TokenColumn<BestToken>[] = [
  {
    name: 'Chains',
    head: FOLDED.xl,
    cell: cn('text-text-2', FOLDED.xl),
    show: (token) => (
      <p className="line-clamp-2 wrap-anywhere" title={chainsOf(token)}>
        {chainsOf(token)}
      </p>
    ),
  },
  {
    name: 'Last selection',
    head: FOLDED['3xl'],
    cell: cn('text-text-2', FOLDED['3xl']),
    show: ({ lastSelection }) =>
      lastSelection && (
        <p className="flex min-w-0 gap-1.5">
          <span dir="auto" className="truncate">
            {lastSelection.chainName}
          </span>
          {lastSelection.confidence !== null && (
            <b className="font-semibold text-text tabular-nums">
              {formatConfidence(lastSelection.confidence)}
            </b>
          )}
        </p>
      ),
  },
  lastUsedColumn({ name: 'Last used', fold: 'lg' }),
  createdColumn({ name: 'Created', fold: '3xl' }),
]

export interface BestChainSectionProps {
  canManage?: boolean
}

export default function BestChainSection({ canManage = true }: BestChainSectionProps) {
  const { data: tokens, error, refetch } = useQuery(bestTokensQuery)
  const [showsOf, setShowsOf] = useState<number | null>(null)
  const hasTokens = tokens !== undefined && tokens.length > 0
  const seen = tokens?.find(({ id }) => id === showsOf)
  return (
    <TokenSection
      id="best-chain"
      title="Best Chain API Access"
      note={
        <p className="text-sm text-text-3 @max-xl:order-last @max-xl:w-full">
          one token; Catenary picks the best chain for each request
        </p>
      }
      start={START}
      refusal={canManage ? undefined : TOKEN_TEXTS.mayNotCreate}
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
      columns={COLUMNS}
      below={(token) => (
        <>
          <p aria-hidden className="pt-0.5 pl-[18px] text-xs text-text-3 @xl:hidden">
            {chainsOf(token)}
          </p>
          <p aria-hidden className="pl-[18px] text-xs text-text-3 @lg:hidden">
            <LastUsed time={token.lastUsed} /> · created <CreatedAt time={token.createdAt} />
          </p>
        </>
      )}
      above={({ id }) => (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setShowsOf(id)}>
          Show its selections only
        </Button>
      )}
    >
      {tokens && (
        <Selections
          key={showsOf}
          token={seen ?? null}
          showsEmpty={hasTokens}
          onShowAll={() => setShowsOf(null)}
        />
      )}
      {hasTokens && <UsageExamples models={[ANY_MODEL]} />}
    </TokenSection>
  )
}

function chainsOf(token: BestToken): string {
  if (token.includesAllChains) return 'All accessible chains'
  return isEmptied(token) ? 'None left' : token.includedChains.map(({ name }) => name).join(', ')
}
