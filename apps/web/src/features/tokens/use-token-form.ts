import {
  type CreatedBestToken,
  type CreatedChainToken,
  type CreatedReadToken,
  TOKEN_TEXTS,
} from '@catenary/contracts'
import { useDraftForm } from '../../components/forms/use-draft-form.ts'
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
import {
  useCreateBestToken,
  useCreateReadToken,
  useCreateToken,
  useUpdateBestToken,
  useUpdateReadToken,
  useUpdateToken,
} from './tokens.queries.ts'

/** A token with the value that only this reply holds. */
export type CreatedToken = CreatedChainToken | CreatedBestToken | CreatedReadToken

/** Only who created a token edits it, so it has no revision. */
type StoredToken = AnyToken & { revision?: never }

/** What a token is for. */
type TokenOf = { kind: 'chain'; chainId: number } | { kind: 'best' } | { kind: 'read' }

export interface UseTokenFormOptions {
  /** The token to edit; null creates one. */
  token: AnyToken | null
  of: TokenOf
  /** What a new token's name begins with. */
  name?: string
  /** What a new token reads at first. */
  promptIds?: number[]
  userId: number
  onCreated: (created: CreatedToken) => void
  onClose: () => void
}

/** A token's form with its draft and its save. */
export function useTokenForm({ token, of, name = '', promptIds = [], userId, ...on }: UseTokenFormOptions) {
  const { mutateAsync: create } = useCreateToken()
  const { mutateAsync: createBest } = useCreateBestToken()
  const { mutateAsync: createRead } = useCreateReadToken()
  const { mutateAsync: update } = useUpdateToken()
  const { mutateAsync: updateBest } = useUpdateBestToken()
  const { mutateAsync: updateRead } = useUpdateReadToken()

  const createOf = (form: TokenForm): Promise<CreatedToken> => {
    const { limits, switches } = partsOf(form)
    const { threshold, promptIds, mayRun, chainLabel } = form
    if (of.kind === 'chain') return create({ ...limits, ...switches, chainId: of.chainId, chainLabel })
    if (of.kind === 'read') return createRead({ ...limits, promptIds, mayRun })
    return createBest({ ...limits, ...switches, threshold, includedChainIds: chosenChains(form) })
  }

  const updateOf = async (stored: AnyToken, form: TokenForm): Promise<void> => {
    const { limits, switches } = partsOf(form)
    const { id } = stored
    if (stored.tokenType === 'chain') {
      const { chainLabel } = form
      await update({ id, body: { ...limits, ...switches, chainLabel } })
    } else if (stored.tokenType === 'read') {
      const { promptIds, mayRun } = form
      const scope = isSameSet(formOf(stored).promptIds, promptIds) ? {} : { promptIds }
      await updateRead({ id, body: { ...limits, mayRun, ...scope } })
    } else {
      const { includesAllChains, threshold } = form
      const chosen = chosenChains(form)
      const isSameScope = isSame({ token: formOf(stored), includesAllChains, chosen })
      const widened = includesAllChains ? { includesAllChains } : {}
      const scope = isSameScope ? {} : { includedChainIds: chosen, ...widened }
      await updateBest({ id, body: { ...limits, ...switches, threshold, ...scope } })
    }
  }

  const state = useDraftForm<TokenFormInput, TokenForm, StoredToken>({
    key: `token.${userId}.${token?.id ?? `new.${of.kind === 'chain' ? of.chainId : of.kind}`}`,
    noun: 'token',
    schema: tokenForm,
    input: tokenInput,
    initial: token,
    formOf: (stored) => formOf(stored ?? { name, promptIds }),
    async save(form) {
      if (!token) {
        on.onCreated(await createOf(form))
        toast({ title: TOKEN_TEXTS.created, description: `“${form.name}” works from now on.` })
        return
      }
      await updateOf(token, form)
      toast({ title: TOKEN_TEXTS.updated, description: `“${form.name}” was saved.` })
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
  return { ...state, dialog: { ...state.dialog, submitDisabled: isIncomplete(of.kind, state.values) } }
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
  return isSameSet(token.includedChainIds, chosen)
}

const isSameSet = (some: readonly number[], others: readonly number[]): boolean =>
  some.toSorted().join() === others.toSorted().join()

const chosenChains = ({ includesAllChains, includedChainIds }: TokenForm): number[] =>
  includesAllChains ? [] : includedChainIds

/** What each kind of token has, and what those for chains have. */
function partsOf({ answersHelperJobs, showsProgress, ...form }: TokenForm) {
  const { name, expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd } = form
  return {
    limits: { name, expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd },
    switches: { answersHelperJobs, showsProgress },
  }
}
