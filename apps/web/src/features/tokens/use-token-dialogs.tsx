import type { CreatedToken } from '@catenary/contracts'
import { type ReactNode, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { useOpenItem } from '../../lib/open-item.ts'
import { DeleteTokenDialog } from './delete-token-dialog.tsx'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'
import type { AnyToken } from './token-texts.ts'
import { TokenValueDialog } from './token-value-dialog.tsx'

export interface TokenFormSlot<Token extends AnyToken> {
  token: Token | null
  onCreated: (created: CreatedToken) => void
  onClose: () => void
}

export interface UseTokenDialogsOptions<Token extends AnyToken> {
  tokens: readonly Token[] | undefined
  canManage: boolean
  renderForm: (slot: TokenFormSlot<Token>) => ReactNode
}

/** The dialogs of a list of tokens; which form is open is in the address, as `?token=new` or `?token=5`. */
export function useTokenDialogs<Token extends AnyToken>({
  tokens,
  canManage,
  renderForm,
}: UseTokenDialogsOptions<Token>) {
  const { open, show } = useOpenItem('token')
  const [rotating, setRotating] = useState<AnyToken | null>(null)
  const [deleting, setDeleting] = useState<AnyToken | null>(null)
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const opened =
    open?.kind === 'open' ? tokens?.find(({ id, canEdit }) => canEdit && id === open.id) : open && null
  const isFormOpen = canManage && opened !== undefined && open !== null
  return {
    create: () => show({ kind: 'create' }),
    actionsOf: (token: AnyToken) => ({
      canManage,
      onEdit: () => show({ kind: 'open', id: token.id }),
      onRotate: () => setRotating(token),
      onDelete: () => setDeleting(token),
    }),
    dialogs: (
      <>
        {isFormOpen && (
          <DialogSuspense key={opened?.id ?? 'new'}>
            {renderForm({ token: opened, onCreated: setCreated, onClose: () => show(null) })}
          </DialogSuspense>
        )}
        {rotating && (
          <RotateTokenDialog token={rotating} onRotated={setCreated} onClose={() => setRotating(null)} />
        )}
        {deleting && <DeleteTokenDialog token={deleting} onClose={() => setDeleting(null)} />}
        {created && <TokenValueDialog created={created} onClose={() => setCreated(null)} />}
      </>
    ),
  }
}
