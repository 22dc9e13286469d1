import type { Chain } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ChainPage } from '../../features/chains/chain-page.tsx'
import { allVariablesQuery } from '../../features/variables/variables.queries.ts'

const ChainEditorDialog = lazy(() => import('../dialogs/chain-editor-dialog.tsx'))
const ChainStepDialog = lazy(() => import('../dialogs/chain-step-dialog.tsx'))

/** A chain with what building it draws on. */
export function ChainWorkbench({ chain }: { chain: Chain }) {
  const [, navigate] = useLocation()
  const { data } = useQuery(allVariablesQuery)
  const variables = useMemo(() => data?.map(({ name }) => name), [data])
  return (
    <ChainPage
      chain={chain}
      variables={variables}
      renderStepDialog={(props) => (
        <DialogSuspense>
          <ChainStepDialog {...props} />
        </DialogSuspense>
      )}
      renderEditDialog={(props) => (
        <DialogSuspense>
          <ChainEditorDialog {...props} />
        </DialogSuspense>
      )}
      onDeleted={() => navigate('/chains')}
      onDuplicated={(id) => navigate(`/chains/${id}`)}
    />
  )
}
