import { type Chain, type ChainToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { RunVisibilityNote } from '../../runs/run-visibility-note.tsx'
import { OwnAddresses } from '../hooks/own-addresses.tsx'
import { CreatedAt, LastUsed } from '../last-used.tsx'
import { createdColumn, lastUsedColumn, type TokenColumn, USE_COLUMNS } from '../token-columns.tsx'
import { TokenSection } from '../token-section.tsx'
import { chainTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { modelsOf } from './models-of.ts'

export interface ApiAccessProps {
  chain: Chain
  takesInput: boolean
}

const COLUMNS: readonly TokenColumn<ChainToken>[] = [
  lastUsedColumn({ name: 'Last Used', fold: 'lg' }),
  createdColumn({ name: 'Created', fold: 'lg' }),
  ...USE_COLUMNS,
]

export default function ApiAccess({ chain, takesInput }: ApiAccessProps) {
  const { data: tokens, error, refetch } = useQuery(chainTokensQuery(chain.id))
  return (
    <TokenSection
      id="api-access"
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
      start={{ kind: 'chain', chainId: chain.id }}
      refusal={chain.canEdit ? undefined : TOKEN_TEXTS.mayNotCreateForChain}
      tokens={tokens}
      error={error}
      onRetry={() => void refetch()}
      empty={
        <p className="text-sm text-text-2">
          <span>{TOKEN_TEXTS.noChainTokens}</span> <LearnMore about="chainTokens" />
        </p>
      }
      columns={COLUMNS}
      below={({ calls, lastUsed, createdAt }) => (
        <p aria-hidden className="pt-0.5 pl-[18px] text-xs text-text-3 @lg:hidden">
          {calls !== null && (
            <>
              <LastUsed time={lastUsed} /> ·{' '}
            </>
          )}
          created <CreatedAt time={createdAt} />
        </p>
      )}
    >
      {({ create, edit }) => (
        <>
          {chain.canEdit && <RunVisibilityNote chain={chain} />}
          <UsageExamples models={modelsOf(chain)} />
          {chain.canEdit && <OwnAddresses chain={chain} onCreate={() => create('hook')} onEdit={edit} />}
        </>
      )}
    </TokenSection>
  )
}
