import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { ChainsPage } from '../../features/chains/library/chains-page.tsx'
import { tagsQuery } from '../../features/tags/tags.queries.ts'

const BestChainAccess = lazy(() => import('./best-chain-access.tsx'))
const ChainCreateDialog = lazy(() => import('../dialogs/chain-create-dialog.tsx'))

/** The chains library. */
export default function ChainsRoute() {
  const { data: tags = [] } = useQuery(tagsQuery('chain'))
  return (
    <ChainsPage
      tags={tags}
      bestChain={
        <PanelBoundary title="Best Chain API Access">
          <Suspense>
            <BestChainAccess />
          </Suspense>
        </PanelBoundary>
      }
      renderCreateDialog={(props) => (
        <DialogSuspense>
          <ChainCreateDialog {...props} />
        </DialogSuspense>
      )}
    />
  )
}
