import { LABELS_MAX } from '@catenary/contracts'
import type { Context } from '../../../../platform/context.ts'
import { limitedModels } from '../../../spending/spending.ts'
import type { Grant } from '../../../tokens/tokens.ts'
import { listChainAliases, listChainNames } from '../gateway.sql.ts'
import { labelToRun, modelNamesOf, readModelName } from '../model-names.ts'
import type { ListedModel, ModelLimits } from '../wires/models.ts'
import { findReachable, isNamedBy, modelNotFound } from './reachable-chains.ts'

/** One of those that `listModels` lists, or a chain's by a former slug, which keeps answering; throws GatewayError `not_found`. */
export async function findModel(
  ctx: Context,
  { grant, wanted }: { grant: Grant; wanted: string },
): Promise<ListedModel> {
  const models = await listModels(ctx, grant)
  const listed = models.find(({ id }) => id === wanted)
  if (listed !== undefined) return listed
  const named = readModelName(wanted)
  const candidates = named.slug === undefined ? [] : await findReachable(ctx, grant, named.slug)
  const chain = candidates.find((candidate) => isNamedBy(named, candidate))
  const { label } = named
  const [current] = chain ? modelNamesOf({ id: chain.id, ...(label !== undefined && { label }) }) : []
  const model = models.find(({ id }) => id === current)
  if (model === undefined) throw modelNotFound(wanted)
  return { ...model, id: wanted }
}

/** Under each of its names; for a chain's token also with the labels that it may ask for. */
export async function listModels(ctx: Context, grant: Grant): Promise<ListedModel[]> {
  const chains = await findReachable(ctx, grant)
  const labels = grant.chainId === null ? 0 : LABELS_MAX
  const ids = chains.map(({ id }) => id)
  const found = await listChainNames(ctx.db, { ids, labels, userId: grant.user.id })
  const limitsOf = await readLimits(ctx, ids)
  const names = new Map(found.map((row) => [row.id, row]))
  return chains.flatMap(({ id, name, createdAt }) => {
    const { slug, labels = [] } = names.get(id) ?? {}
    const named = { id, ...(slug !== undefined && { slug }) }
    const mayRun = labels.filter((label) => labelToRun({ asked: label, own: grant.chainLabel }) === label)
    return [undefined, ...mayRun].flatMap((label) => {
      const limits = limitsOf({ id, label: label ?? grant.chainLabel })
      const models = modelNamesOf({ ...named, ...(label !== undefined && { label }) })
      return models.map((model) => ({ id: model, name, createdAt, limits }))
    })
  })
}

async function readLimits(ctx: Context, ids: number[]) {
  const described = new Map(
    limitedModels(ctx)
      .describe()
      .map((model) => [model.alias, model]),
  )
  const rows = await listChainAliases(ctx.db, ids)
  const found = new Map(rows.map(({ id, label, aliases }) => [`${id} ${label ?? ''}`, aliases]))
  return ({ id, label }: { id: number; label: string | null }): ModelLimits => {
    const used = (found.get(`${id} ${label ?? ''}`) ?? []).flatMap((alias) => described.get(alias) ?? [])
    return {
      input: smallest(used.map(({ contextTokens }) => contextTokens)),
      output: smallest(used.map(({ outputTokens }) => outputTokens)),
    }
  }
}

function smallest(known: (number | null | undefined)[]): number | null {
  const numbers = known.filter((each) => typeof each === 'number')
  return numbers.length === 0 ? null : Math.min(...numbers)
}
