import { type CreatedToken, type McpToken, TOKEN_TEXTS } from '@catenary/contracts'
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
import { type NewToken, type TokenChange, useCreateToken, useUpdateToken } from './tokens.queries.ts'

/** Only who created a token edits it, so it has no revision. */
type StoredToken = AnyToken & { revision?: never }

type TokenOf =
  | {
      kind: 'chain'
      chainId: number
      /** Its draft is kept whichever chain is chosen. */
      isChosenHere?: boolean
    }
  | { kind: 'best' | 'read' | 'mcp' | 'folder' }

export interface UseTokenFormOptions {
  token: AnyToken | null
  of: TokenOf
  name?: string
  promptIds?: number[]
  userId: number
  onCreated: (created: CreatedToken) => void
  onClose: () => void
}

export type TokenFormState = ReturnType<typeof useTokenForm>

export function useTokenForm({ token, of, name = '', promptIds = [], userId, ...on }: UseTokenFormOptions) {
  const { mutateAsync: create } = useCreateToken()
  const { mutateAsync: update } = useUpdateToken()
  const state = useDraftForm<TokenFormInput, TokenForm, StoredToken>({
    key: `token.${userId}.${token?.id ?? `new.${draftOf(of)}`}`,
    noun: 'token',
    schema: tokenForm,
    input: tokenInput,
    initial: token,
    formOf: (stored) => formOf(stored ?? { name, promptIds }),
    async save(form) {
      if (!token) {
        on.onCreated(await create(newTokenOf(of, form)))
        toast({ title: TOKEN_TEXTS.created, description: `“${form.name}” works from now on.` })
        return
      }
      await update(changeOf(token, form))
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

const draftOf = (of: TokenOf): string | number =>
  of.kind === 'chain' && !of.isChosenHere ? of.chainId : of.kind

function newTokenOf(of: TokenOf, form: TokenForm): NewToken {
  const { shared, switches, scope } = partsOf(form)
  const { chainLabel, threshold, promptIds, mayRun, mayWrite, mayEvaluate } = scope
  switch (of.kind) {
    case 'chain':
      return { tokenType: of.kind, body: { ...shared, ...switches, chainId: of.chainId, chainLabel } }
    case 'best': {
      const includedChainIds = chosenChains(scope)
      return { tokenType: of.kind, body: { ...shared, ...switches, threshold, includedChainIds } }
    }
    case 'read':
      return { tokenType: of.kind, body: { ...shared, promptIds, mayRun } }
    case 'mcp':
      return { tokenType: of.kind, body: { ...shared, ...agentScope(scope) } }
    case 'folder':
      return { tokenType: of.kind, body: { ...shared, mayWrite, mayEvaluate } }
  }
}

function changeOf(stored: AnyToken, form: TokenForm): TokenChange {
  const { shared, switches, scope } = partsOf(form)
  const { chainLabel, threshold, includesAllChains, promptIds, mayRun, mayWrite, mayEvaluate } = scope
  const { id, tokenType } = stored
  switch (tokenType) {
    case 'chain':
      return { id, tokenType, body: { ...shared, ...switches, chainLabel } }
    case 'best': {
      const chosen = chosenChains(scope)
      const widened = includesAllChains ? { includesAllChains } : {}
      const isSameScope = isSame({ token: formOf(stored), includesAllChains, chosen })
      const changed = isSameScope ? {} : { includedChainIds: chosen, ...widened }
      return { id, tokenType, body: { ...shared, ...switches, threshold, ...changed } }
    }
    case 'read': {
      const changed = isSameSet(formOf(stored).promptIds, promptIds) ? {} : { promptIds }
      return { id, tokenType, body: { ...shared, mayRun, ...changed } }
    }
    case 'mcp':
      return { id, tokenType, body: { ...shared, ...changedScope(stored, scope) } }
    case 'folder':
      return { id, tokenType, body: { ...shared, mayWrite, mayEvaluate } }
    case 'scoped':
      return { id, tokenType, body: shared }
  }
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

const chosenChains = ({
  includesAllChains,
  includedChainIds,
}: Pick<TokenForm, 'includesAllChains' | 'includedChainIds'>): number[] =>
  includesAllChains ? [] : includedChainIds

type AgentScope = Pick<TokenForm, 'allPrompts' | 'promptIds' | 'allChains' | 'chainIds' | 'labels'>

function agentScope({ allPrompts, promptIds, allChains, chainIds, labels }: AgentScope): AgentScope {
  return {
    allPrompts,
    promptIds: allPrompts ? [] : promptIds,
    allChains,
    chainIds: allChains ? [] : chainIds,
    labels,
  }
}

/** What is chosen otherwise than it was: what its person can't see of the rest stays. */
function changedScope(stored: McpToken, form: AgentScope): Partial<AgentScope> {
  const before = agentScope(formOf(stored))
  const { allPrompts, promptIds, allChains, chainIds, labels } = agentScope(form)
  const isSamePrompts = before.allPrompts === allPrompts && isSameSet(before.promptIds, promptIds)
  const isSameChains = before.allChains === allChains && isSameSet(before.chainIds, chainIds)
  return {
    labels,
    ...(isSamePrompts ? {} : { allPrompts, promptIds }),
    ...(isSameChains ? {} : { allChains, chainIds }),
  }
}

function partsOf({ answersHelperJobs, showsProgress, ...form }: TokenForm) {
  const { name, expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd, fills, ...scope } = form
  return {
    shared: { name, expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd, ...(fills && { fills }) },
    switches: { answersHelperJobs, showsProgress },
    scope,
  }
}
