import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ChainsPage } from '../../features/chains/library/chains-page.tsx'
import { tagsQuery } from '../../features/tags/tags.queries.ts'

const ChainCreateDialog = lazy(() => import('../dialogs/chain-create-dialog.tsx'))

/** The chains library. */
export default function ChainsRoute() {
  const { data: tags = [] } = useQuery(tagsQuery('chain'))
  return (
    <ChainsPage
      tags={tags}
      renderCreateDialog={(props) => (
        <DialogSuspense>
          <ChainCreateDialog {...props} />
        </DialogSuspense>
      )}
    />
  )
}
