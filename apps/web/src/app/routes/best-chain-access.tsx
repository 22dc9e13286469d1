import { part } from '../../components/part.tsx'
import { BestChainSection } from '../../features/tokens/best/best-chain-section.tsx'
import { useSession } from '../../lib/session/session.tsx'

const BestTokenEditorDialog = part(() => import('../dialogs/best-token-editor-dialog.tsx'))

export default function BestChainAccess() {
  const { user } = useSession()
  if (!user) return null
  return (
    <BestChainSection canManage renderForm={(slot) => <BestTokenEditorDialog {...slot} userId={user.id} />} />
  )
}
