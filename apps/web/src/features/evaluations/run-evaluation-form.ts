import type { EstimateEvaluationRequest, EvaluationEstimate, ModelAlias } from '@catenary/contracts'
import type { EvaluatedRecord } from './evaluations.queries.ts'

export interface EvaluatedVersion {
  number: number
  note: string
  labels: readonly string[]
}

export interface EvaluationChoices {
  suiteId: number
  versions: readonly number[]
  models: readonly ModelAlias[]
  judgeModel: ModelAlias | null
  reuse: boolean
  /** As it is typed; empty: the proposed one. */
  costLimit: string
}

interface FirstChoices {
  suites: readonly { id: number; caseCount: number }[]
  versions: readonly EvaluatedVersion[]
  models: readonly { alias: ModelAlias }[]
  initial: { suiteId?: number; versions?: readonly number[]; models?: readonly string[] } | undefined
}

/** The requested choices, as far as they exist; else the newest version, the live one, and the first model. */
export function firstChoices({ suites, versions, models, initial = {} }: FirstChoices): EvaluationChoices {
  const suite =
    suites.find(({ id }) => id === initial.suiteId) ?? suites.find(({ caseCount }) => caseCount > 0)
  const numbers = versions.map(({ number }) => number)
  const live = versions.find(({ labels }) => labels.includes(LIVE))?.number
  const usual = [...new Set([...numbers.slice(0, 1), ...(live === undefined ? [] : [live])])]
  const asked = (initial.versions ?? []).filter((number) => numbers.includes(number))
  const aliases = models.map(({ alias }) => alias)
  const wanted = aliases.filter((alias) => initial.models?.includes(alias))
  return {
    suiteId: suite?.id ?? 0,
    versions: asked.length > 0 ? asked : usual,
    models: wanted.length > 0 ? wanted : aliases.slice(0, 1),
    judgeModel: null,
    reuse: true,
    costLimit: '',
  }
}

const LIVE = 'production'

/** Version × model, in the order of the versions; of a chain a version each. */
export function targetsOf({
  kind,
  versions,
  models,
}: Pick<EvaluationChoices, 'versions' | 'models'> & { kind: EvaluatedRecord['kind'] }) {
  const ordered = versions.toSorted((a, b) => a - b)
  if (kind === 'chain') return ordered.map((version) => ({ version, model: null }))
  return ordered.flatMap((version) => models.map((model) => ({ version, model })))
}

/** The target that others are compared with: the live version, else the oldest. */
export function baselineOf(
  targets: EstimateEvaluationRequest['targets'],
  versions: readonly EvaluatedVersion[],
): number {
  const live = versions.find(({ labels }) => labels.includes(LIVE))?.number
  return Math.max(
    0,
    targets.findIndex(({ version }) => version === live),
  )
}

const LEAST_COST_LIMIT = 0.01
/** A margin over the 95th percentile, so that only runaway costs stop it. */
const ROOM = 1.5

/** Rounded up to two digits. */
export function proposedCostLimit({ p95Usd }: Pick<EvaluationEstimate, 'p95Usd'>): number {
  const wanted = Math.max(LEAST_COST_LIMIT, (p95Usd ?? 0) * ROOM)
  const step = 10 ** (Math.floor(Math.log10(wanted)) - 1)
  return Number((Math.ceil(wanted / step) * step).toPrecision(2))
}
