import { type CreatedBestToken, type CreatedChainToken, TOKEN_TEXTS } from '@catenary/contracts'
import { useDraftForm } from '../../components/use-draft-form.ts'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import {
  formOf,
  isIncomplete,
  type TokenForm,
  type TokenFormInput,
  tokenForm,
  tokenInput,
} from './token-fields.tsx'
import type { AnyToken } from './token-texts.ts'
import { useCreateBestToken, useCreateToken, useUpdateBestToken, useUpdateToken } from './tokens.queries.ts'

/** A token with the value that only this reply holds. */
export type CreatedToken = CreatedChainToken | CreatedBestToken

/** Only who created a token edits it, so it has no revision. */
type StoredToken = AnyToken & { revision?: never }

export interface UseTokenFormOptions {
  /** The token to edit; null creates one. */
  token: AnyToken | null
  /** The chain whose token it is; null for a Best Chain token. */
  chainId: number | null
  /** What a new token's name begins with. */
  name?: string
  userId: number
  onCreated: (created: CreatedToken) => void
  onClose: () => void
}

/** A token's form with its draft and its save. */
export function useTokenForm({ token, chainId, name = '', userId, ...on }: UseTokenFormOptions) {
  const { mutateAsync: create } = useCreateToken()
  const { mutateAsync: createBest } = useCreateBestToken()
  const { mutateAsync: update } = useUpdateToken()
  const { mutateAsync: updateBest } = useUpdateBestToken()
  const state = useDraftForm<TokenFormInput, TokenForm, StoredToken>({
    key: `token.${userId}.${token?.id ?? `new.${chainId ?? 'best'}`}`,
    noun: 'token',
    schema: tokenForm,
    input: tokenInput,
    initial: token,
    formOf: (stored) => formOf(stored ?? { name }),
    async save({ includesAllChains, includedChainIds, threshold, ...fields }) {
      const chosen = includesAllChains ? [] : includedChainIds
      if (!token) {
        const created =
          chainId === null
            ? await createBest({ ...fields, threshold, includedChainIds: chosen })
            : await create({ ...fields, chainId })
        on.onCreated(created)
        toast({ title: TOKEN_TEXTS.created, description: `“${fields.name}” works from now on.` })
        return
      }
      if (token.tokenType === 'chain') await update({ id: token.id, body: fields })
      else {
        const isSameScope = isSame({ token: formOf(token), includesAllChains, chosen })
        const widened = includesAllChains ? { includesAllChains } : {}
        const scope = isSameScope ? {} : { includedChainIds: chosen, ...widened }
        await updateBest({ id: token.id, body: { ...fields, threshold, ...scope } })
      }
      toast({ title: TOKEN_TEXTS.updated, description: `“${fields.name}” was saved.` })
    },
    onFailure(error) {
      const title = token ? TOKEN_TEXTS.errorUpdating : TOKEN_TEXTS.errorCreating
      const description = errorMessage(error, TOKEN_TEXTS.errorCreatingBody)
      toast({ title, description, variant: 'destructive' })
    },
    onInvalid({ name }) {
      if (!name) return
      const description = name.message ?? TOKEN_TEXTS.invalidNameBody
      toast({ title: TOKEN_TEXTS.invalidName, description, variant: 'destructive' })
    },
    onClose: on.onClose,
  })
  return { ...state, dialog: { ...state.dialog, submitDisabled: isIncomplete(state.values) } }
}

/** Whether the chains are those that the token had: what its person can't see of them stays then. */
function isSame({
  token,
  includesAllChains,
  chosen,
}: {
  token: TokenFormInput
  includesAllChains: boolean
  chosen: readonly number[]
}): boolean {
  if (token.includesAllChains || includesAllChains) return token.includesAllChains === includesAllChains
  return token.includedChainIds.toSorted().join() === chosen.toSorted().join()
}
