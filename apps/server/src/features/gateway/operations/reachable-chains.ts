import type { SqlContext } from '../../../platform/context.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { listReachableChains } from '../gateway.sql.ts'
import { GatewayError } from '../gateway-error.ts'
import type { ModelName } from '../model-names.ts'

export type Candidate = Awaited<ReturnType<typeof listReachableChains>>[number]

/** The chains with steps that a token reaches; each says whether it is the one that the slug means. */
export function findReachable({ db }: SqlContext, grant: Grant, slug?: string): Promise<Candidate[]> {
  const { user, type, chainId, includesAllChains, chainIds } = grant
  const narrowed = includesAllChains ? undefined : chainIds
  const ids = type === 'chain' ? [chainId ?? 0] : narrowed
  return listReachableChains(db, { userId: user.id, ids, slug })
}

export function isNamedBy({ chainId }: ModelName, { id, isMeant }: Candidate): boolean {
  return id === chainId || isMeant
}

export function modelNotFound(model: string): GatewayError {
  const message = model.trim() === '' ? 'Name a model.' : `There is no model ${model} for this token.`
  return new GatewayError('not_found', message, { param: 'model' })
}
