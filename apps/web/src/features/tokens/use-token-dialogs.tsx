import { TOKEN_MARKS, TOKEN_TEXTS, type TokenType } from '@catenary/contracts'
import type { ConnectClientName } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { part } from '../../components/part.tsx'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { idIn, useAddress } from '../../lib/address.ts'
import { toast, toastFailure } from '../../lib/toast.ts'
import type { NewTokenValue } from './curl-command.ts'
import type { TokenStart } from './form/token-form.ts'
import { type NamedToken, nameOf } from './token-texts.ts'
import { TokenValueDialog } from './token-value-dialog.tsx'
import { tokenQuery, useDeleteToken, useRotateToken } from './tokens.queries.ts'

const TokenDialog = part(() => import('./form/token-dialog.tsx'))

export interface TokenDialogsOptions {
  tokens: readonly { id: number; canEdit?: boolean }[] | undefined
  /** The choice that a new token's form begins with, unless the address names another kind. */
  start: TokenStart
  canManage?: boolean
  /** For which the value is copied, where the token's kind has clients. */
  client?: ConnectClientName | null
  onCreated?: (created: NewTokenValue) => void
}

/** The dialogs of a list of tokens; which form is open is in the address, as `?token=new&of=mcp` or `?token=5`. */
export function useTokenDialogs(options: TokenDialogsOptions) {
  const { tokens, start, canManage = true, client = null, onCreated } = options
  const { open, show } = useOpenForm()
  const [rotating, setRotating] = useState<NamedToken | null>(null)
  const [deleting, setDeleting] = useState<NamedToken | null>(null)
  const [created, setCreated] = useState<NewTokenValue | null>(null)
  const id = open?.id ?? null
  const isEditable = tokens?.some((token) => token.id === id && token.canEdit !== false) ?? false
  const { data: token, error, refetch } = useQuery({ ...tokenQuery(id ?? 0), enabled: isEditable })
  const close = () => show(null)
  const kind = open?.kind ?? start.kind
  const isNew = open !== null && id === null
  return {
    create: (kind?: TokenType) => show({ id: null, kind: kind ?? null }),
    edit: ({ id }: { id: number }) => show({ id, kind: null }),
    rotate: setRotating,
    remove: setDeleting,
    showValue: setCreated,
    dialogs: (
      <>
        {canManage && (isNew || (isEditable && token)) && (
          <DialogSuspense key={id ?? kind}>
            <TokenDialog
              token={isNew ? null : (token ?? null)}
              start={{ ...start, kind }}
              onCreated={(value) => {
                setCreated(value)
                onCreated?.(value)
              }}
              onClose={close}
            />
          </DialogSuspense>
        )}
        {isEditable && !token && error && (
          <UnreadToken error={error} onRetry={() => void refetch()} onClose={close} />
        )}
        {rotating && (
          <RotateTokenDialog token={rotating} onRotated={setCreated} onClose={() => setRotating(null)} />
        )}
        {deleting && <DeleteTokenDialog token={deleting} onClose={() => setDeleting(null)} />}
        {created && <TokenValueDialog created={created} client={client} onClose={() => setCreated(null)} />}
      </>
    ),
  }
}

interface OpenForm {
  /** Null: a new one. */
  id: number | null
  /** Null: that of the page. */
  kind: TokenType | null
}

function useOpenForm() {
  const [params, change] = useAddress()
  return {
    open: readForm(params),
    show: (form: OpenForm | null) =>
      change({ token: form && (form.id ?? 'new'), of: form?.id === null ? form.kind : null }),
  }
}

function readForm(params: URLSearchParams): OpenForm | null {
  const token = params.get('token')
  const of = params.get('of')
  if (token === 'new') return { id: null, kind: of !== null && of in TOKEN_MARKS ? (of as TokenType) : null }
  const id = idIn(token)
  return id === null ? null : { id, kind: null }
}

interface UnreadTokenProps {
  error: unknown
  onRetry: () => void
  onClose: () => void
}

function UnreadToken({ error, onRetry, onClose }: UnreadTokenProps) {
  return (
    <PlainDialog title="Edit Token" onClose={onClose}>
      <ErrorState title="The token could not be loaded" error={error} onRetry={onRetry} />
    </PlainDialog>
  )
}

function DeleteTokenDialog({ token, onClose }: { token: NamedToken; onClose: () => void }) {
  const { mutate, isPending } = useDeleteToken()
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${nameOf(token)}”?`}
      description={
        <>
          <span className="block">{TOKEN_TEXTS.deleteQuestion}</span>
          <span className="mt-2 block">
            Programs that use it will be refused. Their runs stay in the history and in Usage.
          </span>
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(token, {
          onSuccess: () =>
            toast({ title: TOKEN_TEXTS.deleted, description: `“${nameOf(token)}” no longer works.` }),
          onError: toastFailure(TOKEN_TEXTS.errorDeleting),
          onSettled: onClose,
        })
      }
    />
  )
}

const OVERLAPS = [
  { minutes: 0, label: 'End it now' },
  { minutes: 60, label: 'For an hour' },
  { minutes: 24 * 60, label: 'For a day' },
  { minutes: 7 * 24 * 60, label: 'For a week' },
  { minutes: 30 * 24 * 60, label: 'For 30 days' },
]
const DEFAULT_OVERLAP = 24 * 60

interface RotateTokenDialogProps {
  token: NamedToken
  onRotated: (rotated: NewTokenValue) => void
  onClose: () => void
}

function RotateTokenDialog({ token, onRotated, onClose }: RotateTokenDialogProps) {
  const { mutate, isPending } = useRotateToken()
  const [minutes, setMinutes] = useState(String(DEFAULT_OVERLAP))
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate “${nameOf(token)}”`}
      description="It gets a new value and keeps its name, limits and metrics."
      submitLabel="Rotate Token"
      pendingLabel="Rotating..."
      pending={isPending}
      onSubmit={() =>
        mutate(
          { id: token.id, overlapMinutes: Number(minutes) },
          {
            onSuccess(rotated) {
              toast({ title: TOKEN_TEXTS.rotated, description: `“${nameOf(token)}” has a new value.` })
              onRotated(rotated)
              onClose()
            },
            onError: toastFailure(TOKEN_TEXTS.errorUpdating),
          },
        )
      }
    >
      <Field label="Keep the old value working" hint="Leaves time to replace the old value everywhere.">
        <ChoiceSelect
          choices={OVERLAPS.map(({ minutes, label }) => ({ value: String(minutes), label }))}
          value={minutes}
          onChange={setMinutes}
        />
      </Field>
    </FormDialog>
  )
}
