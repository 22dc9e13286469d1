import { type Chain, type ChainToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon, TriangleAlertIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { TableBody, TableHead, TableHeader } from '../../../components/ui/table.tsx'
import { cn } from '../../../lib/utils.ts'
import { FOLDED } from '../token-columns.ts'
import { TokenStates } from '../token-states.tsx'
import { chainTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { type TokenFormSlot, useTokenDialogs } from '../use-token-dialogs.tsx'
import { ChainTokenRow } from './chain-token-row.tsx'

export interface ApiAccessProps {
  chain: Chain
  /** Some step takes what the request says. */
  takesInput: boolean
  /** The form of a token; it comes when it is first shown. */
  renderForm: (slot: TokenFormSlot<ChainToken>) => ReactNode
}

/** A chain's tokens and how programs call it. */
export function ApiAccess({ chain, takesInput, renderForm }: ApiAccessProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(chainTokensQuery(chain.id))
  const canManage = chain.canEdit
  const { create, edit, rotate, remove, dialogs } = useTokenDialogs({ tokens, canManage, renderForm })
  return (
    <section id="api-access" aria-labelledby={headingId} className="relative grid min-w-0 scroll-mt-4 gap-3">
      <div className="@container min-w-0 rounded-card border border-line bg-surface">
        <div className="flex min-h-12 items-center gap-2 py-2 pr-2.5 pl-3.5">
          <h2 id={headingId} className="text-md font-semibold">
            API Access
          </h2>
          {tokens && tokens.length > 0 && (
            <span className="text-sm text-text-3">
              {tokens.length} {tokens.length === 1 ? 'token' : 'tokens'}
            </span>
          )}
          <Button
            variant="secondary"
            size="sm"
            className="ml-auto"
            title={canManage ? undefined : TOKEN_TEXTS.mayNotCreateForChain}
            aria-disabled={!canManage || undefined}
            onClick={() => canManage && create()}
          >
            <PlusIcon />
            Create Token
          </Button>
        </div>
        {!takesInput && chain.steps.length > 0 && (
          <Banner variant="warn" icon={<TriangleAlertIcon />} className="mx-3.5 mb-3">
            {TOKEN_TEXTS.notPassed}
          </Banner>
        )}
        <div className="border-t border-line">
          <TokenStates
            tokens={tokens}
            error={error}
            onRetry={() => void refetch()}
            empty={<p className="text-sm text-text-2">{TOKEN_TEXTS.noChainTokens}</p>}
          >
            <table
              aria-labelledby={headingId}
              className="w-full table-fixed border-collapse text-left text-sm"
            >
              <TableHeader>
                <tr>
                  <TableHead>Name</TableHead>
                  <TableHead className={cn('w-[124px]', FOLDED.lg)}>
                    <span>Last Used</span>
                  </TableHead>
                  <TableHead className={cn('w-[120px]', FOLDED.lg)}>
                    <span>Created</span>
                  </TableHead>
                  <TableHead className={cn('w-[72px] text-right', FOLDED['2xl'])}>
                    <span>Calls</span>
                  </TableHead>
                  <TableHead className={cn('w-[80px] text-right', FOLDED['2xl'])}>
                    <span>Cost</span>
                  </TableHead>
                  <TableHead className="w-[140px] @max-lg:w-[76px] pointer-coarse:@max-lg:w-[104px]">
                    <span className="sr-only">Actions</span>
                  </TableHead>
                </tr>
              </TableHeader>
              <TableBody>
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
              </TableBody>
            </table>
          </TokenStates>
        </div>
      </div>
      <UsageExamples model={`chain-${chain.id}`} />
      {dialogs}
    </section>
  )
}
