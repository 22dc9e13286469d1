import type { SqlContext } from '../../../../platform/context.ts'
import type { Grant } from '../../../tokens/tokens.ts'
import { listReachableChains } from '../gateway.sql.ts'
import { GatewayError } from '../gateway-error.ts'
import type { ModelName } from '../model-names.ts'

export type Candidate = Awaited<ReturnType<typeof listReachableChains>>[number]

/** Each says whether it is the one that the slug means. */
export function findReachable({ db }: SqlContext, grant: Grant, slug?: string): Promise<Candidate[]> {
  return listReachableChains(db, { ...grant, slug })
}

/** Others run prompts alone, or nothing. */
export function runsChains({ abilities, includesAllChains, chainIds }: Grant): boolean {
  if (!abilities.has('run')) return false
  return !abilities.has('read') || includesAllChains || chainIds.length > 0
}

export function isNamedBy({ chainId }: ModelName, { id, isMeant }: Candidate): boolean {
  return id === chainId || isMeant
}

export function modelNotFound(model: string): GatewayError {
  const message = model.trim() === '' ? 'Name a model.' : `This token reaches no model ${model}.`
  return new GatewayError('not_found', message, { param: 'model' })
}
