import type { Chain } from '@catenary/contracts'
import { part } from '../../../components/part.tsx'
import { releasesOf } from '../../../features/chains/releases-of.ts'
import { ApiAccess } from '../../../features/tokens/chain/api-access.tsx'
import { useSession } from '../../../lib/session/session.tsx'

const ChainTokenEditorDialog = part(() => import('../../dialogs/chain-token-editor-dialog.tsx'))

export default function ChainApiAccess(props: { chain: Chain; takesInput: boolean }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <ApiAccess
      {...props}
      renderForm={(slot) => (
        <ChainTokenEditorDialog
          {...slot}
          chainId={props.chain.id}
          releases={releasesOf(props.chain)}
          userId={user.id}
        />
      )}
    />
  )
}
