import type { OwnedKind } from '@catenary/contracts'
import { HandshakeIcon } from 'lucide-react'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { part } from '../../../components/part.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { useOpenItem } from '../../../lib/open-item.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { HAND_OVER } from './hand-over-texts.ts'

const HandOverDialog = part(() => import('./hand-over-dialog.tsx'))

interface OpenHandOverProps {
  kind: OwnedKind
  /** As far as the page knows it. */
  nameOf: (id: number) => string | undefined
}

export function OpenHandOver({ kind, nameOf }: OpenHandOverProps) {
  const { user } = useSession()
  const { open, show } = useOpenItem(HAND_OVER)
  if (!user || open?.kind !== 'open') return null
  const { id } = open
  return (
    <DialogSuspense>
      <HandOverDialog key={id} record={{ kind, id, name: nameOf(id) }} onClose={() => show(null)} />
    </DialogSuspense>
  )
}

/** In the menu of a record, for its owner. */
export function HandOverItem({ id, owner }: { id: number; owner: string }) {
  const { user } = useSession()
  const { show } = useOpenItem(HAND_OVER)
  if (user?.username !== owner) return null
  return (
    <DropdownMenuItem onSelect={() => show({ kind: 'open', id })}>
      <HandshakeIcon />
      Hand over…
    </DropdownMenuItem>
  )
}
