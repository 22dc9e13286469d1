import { LABELS_MAX } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { CalledRun } from '../runs/runs.ts'
import type { Grant } from '../tokens/tokens.ts'
import type { BestChain, Choice } from './best-chain.service.ts'
import { listChainNames, listReachableChains } from './gateway.repository.ts'
import { GatewayError } from './gateway-error.ts'
import { labelToRun, type ModelName, modelNamesOf, readModelName } from './model-names.ts'
import type { ListedModel } from './wires/models.ts'
import type { ChainRequest } from './wires/wire.ts'

export type NamedChains = ReturnType<typeof createNamedChains>

/** Which chain a request is for, and by which names a token's chains are asked. */
export function createNamedChains({ db, bestChain }: { db: Database; bestChain: BestChain }) {
  function reachable(grant: Grant, slug?: string) {
    const { user, type, chainId, includesAllChains, chainIds } = grant
    const narrowed = includesAllChains ? undefined : chainIds
    const ids = type === 'chain' ? [chainId ?? 0] : narrowed
    return listReachableChains(db, { userId: user.id, ids, slug })
  }

  /** For a chain's token: its chain, by its own names or by any name that is not another chain's id (D46). */
  async function findOwnChain({ grant, request }: Pick<Asked, 'grant' | 'request'>): Promise<NamedChain> {
    const { chainId: id, slug, label } = readModelName(request.model)
    if (id !== undefined && id !== grant.chainId) throw noModel(request.model)
    const isNamed = id !== undefined || (label !== undefined && (await isOwnSlug(grant, slug)))
    const wanted = labelToRun({ asked: isNamed ? label : undefined, own: grant.chainLabel })
    if (wanted === undefined) throw noModel(request.model)
    return { chainId: grant.chainId ?? 0, label: wanted }
  }

  async function isOwnSlug(grant: Grant, slug: string | undefined): Promise<boolean> {
    if (slug === undefined) return false
    const [own] = await reachable(grant, slug)
    return own?.hasSlug === true
  }

  /** What the token reaches, under each of its names; of a chain's token with the labels that it may ask for. */
  async function listModels(grant: Grant): Promise<ListedModel[]> {
    const chains = await reachable(grant)
    const labels = grant.type === 'chain' ? LABELS_MAX : 0
    const found = await listChainNames(db, { ids: chains.map(({ id }) => id), labels })
    const names = new Map(found.map((row) => [row.id, row]))
    return chains.flatMap(({ id, name, createdAt }) => {
      const { slug, labels = [] } = names.get(id) ?? {}
      const named = { id, ...(slug !== undefined && { slug }) }
      const mayRun = labels.filter((label) => labelToRun({ asked: label, own: grant.chainLabel }) === label)
      const models = [named, ...mayRun.map((label) => ({ ...named, label }))].flatMap(modelNamesOf)
      return models.map((model) => ({ id: model, name, createdAt }))
    })
  }

  return {
    listModels,

    /** One of those, or a chain's by a former slug, which keeps answering; throws GatewayError `not_found`. */
    async findModel(grant: Grant, wanted: string): Promise<ListedModel> {
      const models = await listModels(grant)
      const listed = models.find(({ id }) => id === wanted)
      if (listed !== undefined) return listed
      const named = readModelName(wanted)
      const candidates = named.slug === undefined ? [] : await reachable(grant, named.slug)
      const chain = candidates.find((candidate) => isNamedBy(named, candidate))
      const { label } = named
      const [current] = chain ? modelNamesOf({ id: chain.id, ...(label !== undefined && { label }) }) : []
      const model = models.find(({ id }) => id === current)
      if (model === undefined) throw noModel(wanted)
      return { ...model, id: wanted }
    },

    /** The chain of a run that the call goes on with; throws `conflict` where the request is for another one. */
    async findOfRun({ grant, request, run }: Pick<Asked, 'grant' | 'request'> & { run: CalledRun }) {
      const { chainId, label } = run
      const named = readModelName(request.model)
      const candidates = await reachable(grant, named.slug)
      const chain = candidates.find(({ id }) => id === chainId)
      if (chain === undefined)
        throw new GatewayError(
          'conflict',
          `The chain of run ${run.id} is not in this token’s scope any more.`,
        )
      const asked =
        grant.type === 'chain' ? await findOwnChain({ grant, request }) : findNamed({ named, candidates })
      if (asked !== undefined && (asked.chainId !== chainId || asked.label !== label)) {
        const [name] = modelNamesOf({ id: chainId, ...(label !== null && { label }) })
        throw new GatewayError('conflict', `Run ${run.id} is of ${name}, which this call does not name.`)
      }
      const choice = grant.type === 'best' ? bestChain.named({ grant, request, chain }) : undefined
      return { chainId, label, choice }
    },

    /** The chain that the request is for, and why, where it was chosen. */
    async find({
      grant,
      request,
      signal,
    }: Asked): Promise<
      (NamedChain & { choice?: Choice }) | { choice: Choice; chainId?: never; label?: never }
    > {
      if (grant.type === 'chain') return findOwnChain({ grant, request })
      const named = readModelName(request.model)
      const candidates = await reachable(grant, named.slug)
      const chain = candidates.find((candidate) => isNamedBy(named, candidate))
      if (chain !== undefined) {
        return {
          chainId: chain.id,
          label: namedLabel(named),
          choice: bestChain.named({ grant, request, chain }),
        }
      }
      if (named.chainId !== undefined) throw noModel(request.model)
      if (candidates.length === 0)
        throw new GatewayError('not_found', 'This token reaches no chain that has steps.')
      const choice = await bestChain.choose({ grant, request, candidates, signal })
      return choice.question === undefined ? { chainId: choice.chain.id, label: null, choice } : { choice }
    },
  }
}

interface Asked {
  grant: Grant
  request: Pick<ChainRequest, 'model' | 'messages'>
  signal: AbortSignal
}

export interface NamedChain {
  chainId: number
  /** The label of the version to run; null: the chain as it is. */
  label: string | null
}

type Candidate = Awaited<ReturnType<typeof listReachableChains>>[number]

function isNamedBy({ chainId }: ModelName, { id, hasSlug }: Candidate): boolean {
  return id === chainId || hasSlug
}

/** A name that a Best Chain token may ask for. */
const namedLabel = ({ label }: ModelName): string | null => labelToRun({ asked: label, own: null }) ?? null

/** The chain that a Best Chain token's request names, whether it is reached or not. */
function findNamed({ named, candidates }: { named: ModelName; candidates: Candidate[] }) {
  const chainId = named.chainId ?? candidates.find((candidate) => isNamedBy(named, candidate))?.id
  return chainId === undefined ? undefined : { chainId, label: namedLabel(named) }
}

function noModel(model: string): GatewayError {
  return new GatewayError('not_found', `There is no model ${model} for this token.`, { param: 'model' })
}
