import { randomUUID } from 'node:crypto'
import {
  type EstimateEvaluationRequest,
  EVALUATION_BYTES_MAX,
  EVALUATION_CELLS_MAX,
  type EvaluationEstimate,
  type User,
} from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import { AppError, fieldError } from '../../errors.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Models } from '../../platform/models/models.ts'
import { listModelsFor, requireAllowedModels, requireKnownModel } from '../models/models.ts'
import { findRecordRights, findWithheld, OWN_TEXTS_ONLY, type WithheldName } from '../records/records.ts'
import { limitedModels } from '../spending/spending.ts'
import { openSuiteToRun, type SuiteToRun } from '../test-suites/test-suites.ts'
import { listPrivateNames, readFingerprints } from '../variables/variables.ts'
import { type EstimatedTarget, estimateCost } from './estimate-cost.ts'
import { type CellRow, findReusable, type NewCell } from './evaluation-cells.sql.ts'
import { seesAllEvaluations } from './evaluations.policy.ts'
import { type FrozenCase, hashOf } from './frozen-cases.ts'
import { isComparedCase, isJudgedCase } from './judged-cases.ts'
import { openTargets } from './open-targets.ts'

type ModelList = Pick<Models, 'describe'>

interface EvaluationPlan {
  suite: SuiteToRun
  mayUsePrivateValues: boolean[]
  /** By target, the private names that somebody else brought into its texts and some case has no value for (D69). */
  asked: WithheldName[][]
  targets: EstimatedTarget[]
  judgeModel: string | null
  estimate: EvaluationEstimate
  cells: Omit<NewCell, 'evaluationId'>[]
}

/** Says what an evaluation consists of, and what it will cost. Throws what would keep it from starting. */
export async function planEvaluation(
  ctx: AppContext,
  { user, request }: { user: User; request: EstimateEvaluationRequest },
): Promise<EvaluationPlan> {
  const { db } = ctx
  const models = limitedModels(ctx)
  const suite = await openSuiteToRun(ctx, { id: request.suiteId, user })
  const { cases, record } = suite
  requireBounded(cases, request)
  const rights = await findRecordRights(ctx, { ...record, user })
  const { canEdit } = rights
  const targets = await openTargets(ctx, { record, user, canEdit, targets: request.targets })
  const aliases = new Set(targets.flatMap(({ texts }) => texts.map(({ model }) => model)))
  for (const alias of aliases) requireConfigured(models, alias)
  if (request.judgeModel !== null) {
    requireKnownModel(ctx, { alias: request.judgeModel, path: 'judgeModel' })
    requireAllowedModels(ctx, { user, aliases: [request.judgeModel] })
  }
  const judgeModel = findJudge({ describe: () => listModelsFor(ctx, user) }, cases, request.judgeModel)
  requireAllowedModels(ctx, { user, aliases })
  const fingerprints = await readFingerprints(ctx, { names: namesIn(targets), user })
  const places = cases.flatMap((frozen, casePosition) =>
    targets.map((target, targetPosition) => ({
      frozen,
      casePosition,
      targetPosition,
      hash: hashCell(models, { frozen, target, targets, judgeModel, fingerprints }),
    })),
  )
  const hashes = places.map(({ hash }) => hash)
  const startedBy = seesAllEvaluations(rights) ? undefined : user.id
  const reusable: Map<string, CellRow> = request.reuse
    ? await findReusable(db, { record, hashes, viewer: user, startedBy })
    : new Map()
  const askedOf = (position: number) =>
    places.filter(({ targetPosition, hash }) => targetPosition === position && !reusable.has(hash))
  const left = targets.map((_, position) => askedOf(position).map(({ frozen }) => frozen))
  const reused = hashes.filter((hash) => reusable.has(hash)).length
  const isLeft = (name: string) => cases.some(({ values }) => !Object.hasOwn(values, name))
  const privateNames = await listPrivateNames(ctx, { names: namesIn(targets).filter(isLeft), user })
  const isPrivate = (name: string) => privateNames.includes(name.toLowerCase())
  const askedIn = async ({ others }: EstimatedTarget) =>
    (await findWithheld(others, OWN_TEXTS_ONLY)).filter(({ name }) => isPrivate(name))
  return {
    asked: await Promise.all(targets.map(askedIn)),
    suite,
    targets,
    mayUsePrivateValues: targets.map((target) =>
      namesIn([target]).some((name) => isLeft(name) && isPrivate(name)),
    ),
    judgeModel,
    estimate: await estimateCost(ctx, {
      viewerId: user.id,
      record,
      targets,
      asked: left,
      reused,
      judgeModel,
    }),
    cells: places.map(({ frozen: _, ...place }) => ({ ...place, ...reusedResult(reusable.get(place.hash)) })),
  }
}

function requireBounded(cases: FrozenCase[], { targets }: EstimateEvaluationRequest): void {
  if (cases.length === 0) throw new AppError('conflict', 'This suite has no tests. Add one to evaluate it.')
  if (cases.length * targets.length > EVALUATION_CELLS_MAX) {
    const most = EVALUATION_CELLS_MAX.toLocaleString('en')
    throw fieldError(
      'targets',
      `${cases.length} tests on ${targets.length} targets give more than ${most} results. Choose fewer targets`,
    )
  }
  if (Buffer.byteLength(JSON.stringify(cases)) > EVALUATION_BYTES_MAX) {
    const most = EVALUATION_BYTES_MAX / 1_000_000
    throw new AppError(
      'too_large',
      `The tests of this suite are larger than ${most} MB. Split it to evaluate it.`,
    )
  }
}

/** A model with its key, or the sandbox in its place. */
const isUsable = ({ configured, provider }: ReturnType<Models['describe']>[number]) =>
  configured || provider === 'sandbox'

const findModel = (models: ModelList, alias: string | null) =>
  models.describe().find((model) => model.alias === alias)

function requireConfigured(models: ModelList, alias: string): void {
  const found = findModel(models, alias)
  if (found !== undefined && isUsable(found)) return
  throw new AppError(
    'conflict',
    `${found?.label ?? alias} is not set up: ${found?.keyVariable ?? 'its key'} is missing`,
  )
}

function findJudge(models: ModelList, cases: FrozenCase[], wanted: string | null): string | null {
  if (!cases.some(isJudgedCase)) return null
  const judge = wanted ?? models.describe().find(isUsable)?.alias
  if (judge === undefined)
    throw new AppError(
      'conflict',
      'No model is set up to grade the answers. Choose one, or ask an administrator to add a key.',
    )
  requireConfigured(models, judge)
  return judge
}

interface HashedCell {
  frozen: FrozenCase
  target: EstimatedTarget
  targets: EstimatedTarget[]
  judgeModel: string | null
  fingerprints: Map<string, string | null>
}

function hashCell(models: ModelList, cell: HashedCell): string {
  const { frozen, target, targets, judgeModel } = cell
  const { name: _name, tags: _tags, ...asked } = frozen
  const modelIdOf = (alias: string | null) => findModel(models, alias)?.modelId ?? alias
  const judge = isJudgedCase(frozen) ? [judgeModel, modelIdOf(judgeModel)] : null
  const whatRuns = ({ texts, settings }: EstimatedTarget) => [
    settings,
    ...texts.map(({ content, model }) => [content, model, modelIdOf(model)]),
  ]
  const compared = isComparedCase(frozen) ? targets.map(whatRuns) : null
  return hashOf([whatRuns(target), asked, judge, compared, fingerprintsFor(cell)])
}

/** Of the variables that a case leaves to the library; a fetched value never equals another. */
function fingerprintsFor({ frozen: { values }, target, fingerprints }: HashedCell): string[] {
  return namesIn([target])
    .filter((name) => fingerprints.has(name) && !Object.hasOwn(values, name))
    .map((name) => `${name}=${fingerprints.get(name) ?? randomUUID()}`)
}

function namesIn(targets: EstimatedTarget[]): string[] {
  const contents = targets.flatMap(({ texts, flows = [] }) => [
    ...texts.map(({ content }) => content),
    ...flows,
  ])
  return [...new Set(contents.flatMap(extractVariables))]
}

function reusedResult(cell: CellRow | undefined): Partial<NewCell> {
  if (cell === undefined) return {}
  const { evaluationId, casePosition: _case, targetPosition: _target, ...result } = cell
  return { ...result, reusedFrom: cell.reusedFrom ?? evaluationId }
}
