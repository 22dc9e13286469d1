import { type BestToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { TableBody, TableHead, TableHeader } from '../../../components/ui/table.tsx'
import { cn } from '../../../lib/utils.ts'
import { FOLDED } from '../token-columns.ts'
import { TokenStates } from '../token-states.tsx'
import { bestTokensQuery } from '../tokens.queries.ts'
import { UsageExamples } from '../usage-examples.tsx'
import { type TokenFormSlot, useTokenDialogs } from '../use-token-dialogs.tsx'
import { BestTokenRow } from './best-token-row.tsx'
import { Selections } from './selections.tsx'

/** A name that no chain has, so that one is chosen. */
const ANY_MODEL = 'best-chain'

export interface BestChainSectionProps {
  /** The person may create and delete tokens here. */
  canManage: boolean
  /** The form of a token; it comes when it is first shown. */
  renderForm: (slot: TokenFormSlot<BestToken>) => ReactNode
}

/** Tokens with which a chain is chosen for each request, and what was chosen. */
export function BestChainSection({ canManage, renderForm }: BestChainSectionProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(bestTokensQuery)
  const { create, edit, rotate, remove, dialogs } = useTokenDialogs({ tokens, canManage, renderForm })
  const [looksAt, setLooksAt] = useState<number | null>(null)
  const hasTokens = tokens !== undefined && tokens.length > 0
  const seen = tokens?.find(({ id }) => id === looksAt)
  return (
    <section id="best-chain" aria-labelledby={headingId} className="relative grid min-w-0 scroll-mt-4 gap-3">
      <div className="@container min-w-0 rounded-card border border-line bg-surface">
        <div className="flex min-h-12 flex-wrap items-center gap-x-2 py-2 pr-2.5 pl-3.5">
          <h2 id={headingId} className="text-md font-semibold">
            Best Chain API Access
          </h2>
          <p className="text-sm text-text-3 @max-xl:order-last @max-xl:w-full">
            one token, and the fitting chain is picked for each request
          </p>
          <Button
            variant="secondary"
            size="sm"
            className="ml-auto"
            title={canManage ? undefined : TOKEN_TEXTS.mayNotCreate}
            aria-disabled={!canManage || undefined}
            onClick={() => canManage && create()}
          >
            <PlusIcon />
            Create Token
          </Button>
        </div>
        <div className="border-t border-line">
          <TokenStates
            tokens={tokens}
            error={error}
            onRetry={() => void refetch()}
            empty={
              <div className="grid gap-0.5">
                <p className="text-sm text-text">{TOKEN_TEXTS.noBestTokens}</p>
                <p className="text-sm text-text-2">{TOKEN_TEXTS.noBestTokensHint}</p>
              </div>
            }
          >
            <table
              aria-labelledby={headingId}
              className="w-full table-fixed border-collapse text-left text-sm"
            >
              <TableHeader>
                <tr>
                  <TableHead>Name</TableHead>
                  <TableHead className={FOLDED.xl}>
                    <span>Chains</span>
                  </TableHead>
                  <TableHead className={FOLDED['3xl']}>
                    <span>Last selection</span>
                  </TableHead>
                  <TableHead className={cn('w-[124px]', FOLDED.lg)}>
                    <span>Last used</span>
                  </TableHead>
                  <TableHead className={cn('w-[120px]', FOLDED['3xl'])}>
                    <span>Created</span>
                  </TableHead>
                  <TableHead className="w-[140px] @max-lg:w-[76px] pointer-coarse:@max-lg:w-[104px]">
                    <span className="sr-only">Actions</span>
                  </TableHead>
                </tr>
              </TableHeader>
              <TableBody>
                {tokens?.map((token) => (
                  <BestTokenRow
                    key={token.id}
                    token={token}
                    canManage={canManage}
                    onEdit={() => edit(token)}
                    onRotate={() => rotate(token)}
                    onDelete={() => remove(token)}
                    onShowSelections={() => setLooksAt(token.id)}
                  />
                ))}
              </TableBody>
            </table>
          </TokenStates>
        </div>
      </div>
      {hasTokens && <Selections key={looksAt} token={seen ?? null} onShowAll={() => setLooksAt(null)} />}
      {hasTokens && <UsageExamples model={ANY_MODEL} />}
      {dialogs}
    </section>
  )
}
