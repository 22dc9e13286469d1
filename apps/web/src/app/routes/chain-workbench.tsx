import type { Chain } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { useLocation } from 'wouter'
import { ChainPage } from '../../features/chains/chain-page.tsx'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { useChainRunSlots } from '../../features/chains/run/chain-run-slots.tsx'
import { allVariablesQuery } from '../../features/variables/variables.queries.ts'

const ChainEditorDialog = lazy(() => import('../dialogs/chain-editor-dialog.tsx'))
const ChainStepDialog = lazy(() => import('../dialogs/chain-step-dialog.tsx'))

/** A chain with what building and running it draws on. */
export function ChainWorkbench({ chain }: { chain: Chain }) {
  const [, navigate] = useLocation()
  const { data } = useQuery(allVariablesQuery)
  const variables = useMemo(() => data?.map(({ name }) => name), [data])
  const queryClient = useQueryClient()
  const { slots, dialogs } = useChainRunSlots({
    chain,
    variables,
    onLostAccess: () => void queryClient.invalidateQueries({ queryKey: chainQuery(chain.id).queryKey }),
  })
  return (
    <>
      <ChainPage
        chain={chain}
        variables={variables}
        {...slots}
        renderStepDialog={(props) => (
          <Suspense>
            <ChainStepDialog {...props} />
          </Suspense>
        )}
        renderEditDialog={(props) => (
          <Suspense>
            <ChainEditorDialog {...props} />
          </Suspense>
        )}
        onDeleted={() => navigate('/chains')}
        onDuplicated={(id) => navigate(`/chains/${id}`)}
      />
      {dialogs}
    </>
  )
}
