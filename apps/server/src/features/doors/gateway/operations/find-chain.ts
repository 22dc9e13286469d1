import type { Context } from '../../../../platform/context.ts'
import type { CalledRun } from '../../../runs/runs.ts'
import { enterCall, type Grant } from '../../../tokens/tokens.ts'
import { type Choice, chooseBest, chooseNamed } from '../best-chain.ts'
import { GatewayError } from '../gateway-error.ts'
import { labelToRun, type ModelName, modelNamesOf, readModelName } from '../model-names.ts'
import type { ChainRequest } from '../wires/wire.ts'
import { type Candidate, findReachable, isNamedBy, modelNotFound, runsChains } from './reachable-chains.ts'

interface Asked {
  grant: Grant
  request: Pick<ChainRequest, 'model' | 'messages'>
}

export interface NamedChain {
  chainId: number
  /** The label of the version to run; null: the chain as it is. */
  label: string | null
  choice: Choice | undefined
}

/** Where no chain fits, the choice holds a question. */
export async function findChain(
  ctx: Context,
  { grant, request, signal }: Asked & { signal: AbortSignal },
): Promise<NamedChain | { chainId: undefined; choice: Choice }> {
  if (grant.chainId !== null) return findOwnChain(ctx, { grant, request })
  const named = readModelName(request.model)
  const candidates = await findReachable(ctx, grant, named.slug)
  const chain = candidates.find((candidate) => isNamedBy(named, candidate))
  if (chain !== undefined) {
    const choice = chooseNamed(ctx, { grant, request, chain })
    return { chainId: chain.id, label: namedLabel(named), choice }
  }
  if (named.chainId !== undefined) throw modelNotFound(request.model)
  if (candidates.length === 0) throw noChain()
  const choice = await chooseBest(ctx, { grant, request, candidates, signal })
  return choice.question === undefined
    ? { chainId: choice.chain.id, label: null, choice }
    : { chainId: undefined, choice }
}

/** Throws `conflict` where the request is for another chain than the run that it resumes. */
export async function findChainOfRun(
  ctx: Context,
  { grant, request, run }: Asked & { run: CalledRun },
): Promise<NamedChain> {
  const { chainId, label } = run
  const named = readModelName(request.model)
  const candidates = await findReachable(ctx, grant, named.slug)
  const chain = candidates.find(({ id }) => id === chainId)
  if (chain === undefined) {
    throw new GatewayError('conflict', `The chain of run ${run.id} is no longer in this token’s scope.`)
  }
  const asked =
    grant.chainId === null ? findNamed({ named, candidates }) : await findOwnChain(ctx, { grant, request })
  if (asked !== undefined && (asked.chainId !== chainId || asked.label !== label)) {
    const [name] = modelNamesOf({ id: chainId, ...(label !== null && { label }) })
    throw new GatewayError('conflict', `Run ${run.id} belongs to ${name}. Name that model to resume it.`)
  }
  const choice = grant.chainId === null ? chooseNamed(ctx, { grant, request, chain }) : undefined
  return { chainId, label, choice }
}

export async function chooseChain(
  ctx: Context,
  { grant, request, signal }: Asked & { signal: AbortSignal },
): Promise<Choice> {
  const release = await enterCall(ctx, grant)
  try {
    if (grant.chainId !== null || !runsChains(grant)) {
      throw new GatewayError('forbidden', 'Only a Best Chain token chooses chains. Use one.')
    }
    const { choice } = await findChain(ctx, { grant, request, signal })
    if (choice === undefined) throw noChain()
    await choice.record(null)
    return choice
  } finally {
    release()
  }
}

/** A chain's token finds its chain by the chain's own names, or by any name that is not another chain's id (D46). */
async function findOwnChain(ctx: Context, { grant, request }: Asked): Promise<NamedChain> {
  const { chainId: id, slug, label } = readModelName(request.model)
  if (id !== undefined && id !== grant.chainId) throw modelNotFound(request.model)
  const isNamed = id !== undefined || (label !== undefined && (await isOwnSlug(ctx, grant, slug)))
  const wanted = labelToRun({ asked: isNamed ? label : undefined, own: grant.chainLabel })
  if (wanted === undefined) throw modelNotFound(request.model)
  return { chainId: grant.chainId ?? 0, label: wanted, choice: undefined }
}

async function isOwnSlug(ctx: Context, grant: Grant, slug: string | undefined): Promise<boolean> {
  if (slug === undefined) return false
  const [own] = await findReachable(ctx, grant, slug)
  return own?.isMeant === true
}

const namedLabel = ({ label }: ModelName): string | null => labelToRun({ asked: label, own: null }) ?? null

function findNamed({ named, candidates }: { named: ModelName; candidates: Candidate[] }) {
  const chainId = named.chainId ?? candidates.find((candidate) => isNamedBy(named, candidate))?.id
  return chainId === undefined ? undefined : { chainId, label: namedLabel(named) }
}

function noChain(): GatewayError {
  return new GatewayError(
    'not_found',
    'This token reaches no chain with steps. Add a chain to it, or add steps.',
  )
}
