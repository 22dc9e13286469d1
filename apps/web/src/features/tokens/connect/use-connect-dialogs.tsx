import type { CreatedToken, OwnToken } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { idIn, useAddress } from '../../../lib/address.ts'
import { DeleteTokenDialog } from '../delete-token-dialog.tsx'
import { RotateTokenDialog } from '../rotate-token-dialog.tsx'
import type { AnyToken, TokenFormKind } from '../token-texts.ts'
import { TokenValueDialog } from '../token-value-dialog.tsx'
import { wholeTokenQuery } from '../tokens.queries.ts'
import { WAYS } from './connect-texts.ts'

export interface ConnectFormSlot {
  kind: TokenFormKind
  token: AnyToken | null
  onCreated: (created: CreatedToken) => void
  onClose: () => void
}

interface ConnectDialogsOptions {
  tokens: readonly OwnToken[] | undefined
  renderForm: (slot: ConnectFormSlot) => ReactNode
  onCreated: (created: CreatedToken) => void
}

const NONE = { id: 0, tokenType: 'mcp', chainId: null } as const

/** The dialogs of the page; which form is open is in the address, as `?token=new&of=mcp` or `?token=5`. */
export function useConnectDialogs({ tokens, renderForm, onCreated }: ConnectDialogsOptions) {
  const { form, show } = useOpenForm()
  const [rotating, setRotating] = useState<OwnToken | null>(null)
  const [deleting, setDeleting] = useState<OwnToken | null>(null)
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const edited = tokens?.find(({ id }) => id === form?.id)
  const { data: whole } = useQuery({ ...wholeTokenQuery(edited ?? NONE), enabled: edited !== undefined })
  const opened = form?.id === null ? { kind: form.kind, token: null } : whole && edited && toForm(whole)
  return {
    create: (kind: TokenFormKind) => show({ id: null, kind }),
    edit: ({ id }: Pick<OwnToken, 'id'>) => show({ id }),
    rotate: setRotating,
    remove: setDeleting,
    dialogs: (
      <>
        {opened && (
          <DialogSuspense key={opened.token?.id ?? opened.kind}>
            {renderForm({
              ...opened,
              onCreated: (token) => {
                setCreated(token)
                onCreated(token)
              },
              onClose: () => show(null),
            })}
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

const toForm = (token: AnyToken) => (token.tokenType === 'scoped' ? null : { kind: token.tokenType, token })

type OpenForm = { id: null; kind: TokenFormKind } | { id: number }

function useOpenForm() {
  const [params, change] = useAddress()
  return {
    form: readForm(params),
    show: (form: OpenForm | null) =>
      change({
        token: form && (form.id ?? 'new'),
        of: form?.id === null ? form.kind : null,
      }),
  }
}

function readForm(params: URLSearchParams): OpenForm | null {
  const token = params.get('token')
  const of = params.get('of')
  if (token === 'new') return { id: null, kind: of !== null && of in WAYS ? (of as TokenFormKind) : 'mcp' }
  const id = idIn(token)
  return id === null ? null : { id }
}
