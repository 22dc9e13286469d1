import { LABELS_MAX } from '@catenary/contracts'
import type { Grant } from '../../tokens/tokens.ts'
import { listChainNames } from '../gateway.repository.ts'
import type { GatewayDeps } from '../gateway-deps.ts'
import { labelToRun, modelNamesOf, readModelName } from '../model-names.ts'
import type { ListedModel } from '../wires/models.ts'
import { findReachable, isNamedBy, modelNotFound } from './reachable-chains.ts'

/** What the token reaches, under each of its names; of a chain's token with the labels that it may ask for. */
export async function listModels(deps: GatewayDeps, token: string | undefined): Promise<ListedModel[]> {
  return listModelsOf(deps, await deps.grants.open(token))
}

/** One of those, or a chain's by a former slug, which keeps answering; throws GatewayError `not_found`. */
export async function findModel(
  deps: GatewayDeps,
  { token, wanted }: { token: string | undefined; wanted: string },
): Promise<ListedModel> {
  const grant = await deps.grants.open(token)
  const models = await listModelsOf(deps, grant)
  const listed = models.find(({ id }) => id === wanted)
  if (listed !== undefined) return listed
  const named = readModelName(wanted)
  const candidates = named.slug === undefined ? [] : await findReachable(deps, grant, named.slug)
  const chain = candidates.find((candidate) => isNamedBy(named, candidate))
  const { label } = named
  const [current] = chain ? modelNamesOf({ id: chain.id, ...(label !== undefined && { label }) }) : []
  const model = models.find(({ id }) => id === current)
  if (model === undefined) throw modelNotFound(wanted)
  return { ...model, id: wanted }
}

async function listModelsOf(deps: GatewayDeps, grant: Grant): Promise<ListedModel[]> {
  const chains = await findReachable(deps, grant)
  const labels = grant.type === 'chain' ? LABELS_MAX : 0
  const found = await listChainNames(deps.db, {
    ids: chains.map(({ id }) => id),
    labels,
    userId: grant.user.id,
  })
  const names = new Map(found.map((row) => [row.id, row]))
  return chains.flatMap(({ id, name, createdAt }) => {
    const { slug, labels = [] } = names.get(id) ?? {}
    const named = { id, ...(slug !== undefined && { slug }) }
    const mayRun = labels.filter((label) => labelToRun({ asked: label, own: grant.chainLabel }) === label)
    const models = [named, ...mayRun.map((label) => ({ ...named, label }))].flatMap(modelNamesOf)
    return models.map((model) => ({ id: model, name, createdAt }))
  })
}
