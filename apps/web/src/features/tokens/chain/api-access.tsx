import { type Chain, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { useId } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { RunVisibilityNote } from '../../runs/run-visibility-note.tsx'
import { TokenCard } from '../token-card.tsx'
import { chainTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { useTokenDialogs } from '../use-token-dialogs.tsx'
import { CHAIN_TOKEN_COLUMNS, ChainTokenRow } from './chain-token-row.tsx'
import { modelsOf } from './models-of.ts'

export interface ApiAccessProps {
  chain: Chain
  takesInput: boolean
}

export default function ApiAccess({ chain, takesInput }: ApiAccessProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(chainTokensQuery(chain.id))
  const canManage = chain.canEdit
  const start = { kind: 'chain', chainId: chain.id } as const
  const { create, edit, rotate, remove, dialogs } = useTokenDialogs({ tokens, canManage, start })
  return (
    <section id="api-access" aria-labelledby={headingId} className="relative grid min-w-0 scroll-mt-4 gap-3">
      <TokenCard
        headingId={headingId}
        title="API Access"
        note={
          tokens &&
          tokens.length > 0 && (
            <span className="text-sm text-text-3">
              {tokens.length} {tokens.length === 1 ? 'token' : 'tokens'}
            </span>
          )
        }
        notice={
          !takesInput &&
          chain.steps.length > 0 && (
            <Banner variant="warn" icon={<TriangleAlertIcon />} className="mx-3.5 mb-3">
              {TOKEN_TEXTS.notPassed}
            </Banner>
          )
        }
        refusal={canManage ? undefined : TOKEN_TEXTS.mayNotCreateForChain}
        onCreate={() => create()}
        columns={CHAIN_TOKEN_COLUMNS}
        tokens={tokens}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <p className="text-sm text-text-2">
            <span>{TOKEN_TEXTS.noChainTokens}</span> <LearnMore about="chainTokens" />
          </p>
        }
      >
        {tokens?.map((token) => (
          <ChainTokenRow
            key={token.id}
            token={token}
            canManage={canManage}
            onEdit={() => edit(token)}
            onRotate={() => rotate(token)}
            onDelete={() => remove(token)}
          />
        ))}
      </TokenCard>
      {canManage && <RunVisibilityNote chain={chain} />}
      <UsageExamples models={modelsOf(chain)} />
      {dialogs}
    </section>
  )
}
