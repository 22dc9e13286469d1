import { randomUUID } from 'node:crypto'
import {
  type EstimateEvaluationRequest,
  EVALUATION_BYTES_MAX,
  EVALUATION_CELLS_MAX,
  type EvaluationEstimate,
  type User,
} from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import type { Executor } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { Models } from '../../platform/models/models.ts'
import type { SuiteToRun, TestSuitesService } from '../test-suites/test-suites.ts'
import type { VariablesService } from '../variables/variables.ts'
import type { EstimatedTarget, Estimates } from './estimates.service.ts'
import { type CellRow, findReusable, type NewCell } from './evaluation-cells.repository.ts'
import { seesAllEvaluations } from './evaluations.policy.ts'
import { type FrozenCase, hashOf } from './frozen-cases.ts'
import { isComparedCase, isJudgedCase } from './judged-cases.ts'
import type { TestedRecords } from './tested-records.service.ts'

interface PlansDeps {
  records: TestedRecords
  suites: Pick<TestSuitesService, 'open'>
  estimate: Estimates
  models: Pick<Models, 'describe'>
  variables: Pick<VariablesService, 'fingerprints'>
}

/** An evaluation as it would run now. */
interface EvaluationPlan {
  suite: SuiteToRun
  targets: EstimatedTarget[]
  judgeModel: string | null
  estimate: EvaluationEstimate
  /** Without the evaluation, which is not there yet. */
  cells: Omit<NewCell, 'evaluationId'>[]
}

export type EvaluationPlans = ReturnType<typeof createEvaluationPlans>

/** A model with its key, or the sandbox in its place. */
const answers = ({ configured, provider }: ReturnType<Models['describe']>[number]) =>
  configured || provider === 'sandbox'

/** Says what an evaluation consists of, and what it will cost. */
export function createEvaluationPlans({ records, suites, estimate, models, variables }: PlansDeps) {
  const modelIdOf = (alias: string | null) =>
    models.describe().find((model) => model.alias === alias)?.modelId ?? alias

  function requireConfigured(alias: string): void {
    const found = models.describe().find((model) => model.alias === alias)
    if (found !== undefined && answers(found)) return
    throw new AppError(
      'conflict',
      `${found?.label ?? alias} is not set up: ${found?.keyVariable ?? 'its key'} is missing`,
    )
  }

  /** Who grades, where a model is to. */
  function findJudge(cases: FrozenCase[], wanted: string | null): string | null {
    if (!cases.some(isJudgedCase)) return null
    const judge = wanted ?? models.describe().find(answers)?.alias
    if (judge === undefined) throw new AppError('conflict', 'No model is set up that could grade the answers')
    requireConfigured(judge)
    return judge
  }

  /** What the variables that a case leaves to the library mean now; one that is fetched is never twice the same. */
  function fingerprintsFor({ frozen: { values }, target, fingerprints }: HashedCell): string[] {
    return namesIn([target])
      .filter((name) => fingerprints.has(name) && !Object.hasOwn(values, name))
      .map((name) => `${name}=${fingerprints.get(name) ?? randomUUID()}`)
  }

  /** All that the result of a cell rests on. */
  function hashCell(cell: HashedCell): string {
    const { frozen, target, targets, judgeModel } = cell
    const { name: _name, tags: _tags, ...asked } = frozen
    const judge = isJudgedCase(frozen) ? [judgeModel, modelIdOf(judgeModel)] : null
    const whatRuns = ({ texts, settings }: EstimatedTarget) => [
      settings,
      ...texts.map(({ content, model }) => [content, model, modelIdOf(model)]),
    ]
    const compared = isComparedCase(frozen) ? targets.map(whatRuns) : null
    return hashOf([whatRuns(target), asked, judge, compared, fingerprintsFor(cell)])
  }

  return async function plan(
    executor: Executor,
    { user, request }: { user: User; request: EstimateEvaluationRequest },
  ): Promise<EvaluationPlan> {
    const suite = await suites.open({ id: request.suiteId, user })
    const { cases, record } = suite
    if (cases.length === 0) throw new AppError('conflict', 'This suite has no tests. Add one to evaluate it.')
    if (cases.length * request.targets.length > EVALUATION_CELLS_MAX) {
      throw fieldError(
        'targets',
        `${cases.length} tests on ${request.targets.length} targets make more than ${EVALUATION_CELLS_MAX.toLocaleString('en')} results`,
      )
    }
    if (Buffer.byteLength(JSON.stringify(cases)) > EVALUATION_BYTES_MAX) {
      const most = EVALUATION_BYTES_MAX / 1_000_000
      throw new AppError(
        'too_large',
        `The tests of this suite take more than ${most} MB. Split it to evaluate it.`,
      )
    }
    const rights = await records.rightsOf(executor, record, user)
    const { canEdit } = rights
    const targets = await records.openTargets({ record, user, canEdit, targets: request.targets })
    for (const alias of new Set(targets.flatMap(({ texts }) => texts.map(({ model }) => model))))
      requireConfigured(alias)
    const judgeModel = findJudge(cases, request.judgeModel)
    const fingerprints = await variables.fingerprints({ names: namesIn(targets), user })
    const places = cases.flatMap((frozen, casePosition) =>
      targets.map((target, targetPosition) => ({
        ...{ frozen, casePosition, targetPosition },
        hash: hashCell({ frozen, target, targets, judgeModel, fingerprints }),
      })),
    )
    const reusable = request.reuse
      ? await findReusable(executor, {
          record,
          hashes: places.map(({ hash }) => hash),
          viewerId: user.id,
          startedBy: seesAllEvaluations(rights) ? undefined : user.id,
        })
      : new Map<string, CellRow>()
    const askedOf = (position: number) =>
      places.filter(({ targetPosition, hash }) => targetPosition === position && !reusable.has(hash))
    const asked = targets.map((_, position) => askedOf(position).map(({ frozen }) => frozen))
    const reused = places.filter(({ hash }) => reusable.has(hash)).length
    return {
      ...{ suite, targets, judgeModel },
      estimate: await estimate(executor, { record, targets, asked, reused, judgeModel }),
      cells: places.map(({ frozen: _, ...place }) => ({ ...place, ...takenOver(reusable.get(place.hash)) })),
    }
  }
}

interface HashedCell {
  frozen: FrozenCase
  target: EstimatedTarget
  targets: EstimatedTarget[]
  judgeModel: string | null
  /** By variable that the texts name; null for fetched values. */
  fingerprints: Map<string, string | null>
}

/** The variables that the texts of targets name, each once. */
function namesIn(targets: EstimatedTarget[]): string[] {
  const contents = targets.flatMap(({ texts }) => texts.map(({ content }) => content))
  return [...new Set(contents.flatMap(extractVariables))]
}

/** What a cell takes from an earlier one with the same hash. */
function takenOver(cell: CellRow | undefined): Partial<NewCell> {
  if (cell === undefined) return {}
  const { evaluationId, casePosition: _case, targetPosition: _target, ...result } = cell
  return { ...result, reusedFrom: cell.reusedFrom ?? evaluationId }
}
