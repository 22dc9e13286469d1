import * as z from 'zod'
import { assertionResult } from './assertions.ts'
import { id, idParam, timestamp } from './common.ts'
import { modelAlias, storedModel } from './installation/models.ts'
import { listQuery } from './lists.ts'

export const EVALUATION_TARGETS_MAX = 12
export const EVALUATION_CELLS_MAX = 2_000
/** Per account, running at once (D56). */
export const EVALUATIONS_UNDER_WAY_MAX = 3
/** Per account, stored. */
export const EVALUATIONS_MAX = 200
/** The size of the frozen cases, as JSON. */
export const EVALUATION_BYTES_MAX = 5_000_000
export const EVALUATION_CEILING_MAX_USD = 10_000
/** Characters of what a case is given, as a row shows it. */
export const CASE_GIVEN_MAX = 200
/** Characters of a reason, as a cell shows it. */
export const CELL_REASON_MAX = 300

const EVALUATION_STATUSES = ['running', 'stopped', 'completed'] as const
const evaluationStatus = z
  .enum(EVALUATION_STATUSES)
  .describe('stopped: cells are left, and Resume goes on with them; completed: frozen.')
export type EvaluationStatus = z.infer<typeof evaluationStatus>

const CELL_STATUSES = ['waiting', 'running', 'passed', 'failed', 'not-run', 'error', 'private'] as const
const cellStatus = z
  .enum(CELL_STATUSES)
  .describe(
    'not-run: nothing of its case can run here, so that it counts neither way; error: there is no answer to grade, and it counts as not passed; private: it has ended, and only who ran it sees how, as it used private values (D59).',
  )
export type CellStatus = z.infer<typeof cellStatus>

const version = z.int().min(1).describe('Number of the version.')
const position = z.int().describe('Counts from 0.')
const usd = z.number().describe('US dollars; what has no price is not in it.')

const evaluationTargetRequest = z.strictObject({
  version,
  model: modelAlias.nullable().describe('Who answers; null: of a chain, whose steps name their own.'),
})
export type EvaluationTargetRequest = z.infer<typeof evaluationTargetRequest>

/** POST /api/evaluations/estimate */
export const estimateEvaluationRequest = z.strictObject({
  suiteId: id.describe('Whose cases are run.'),
  targets: z
    .array(evaluationTargetRequest)
    .min(1, 'Choose at least one version')
    .max(EVALUATION_TARGETS_MAX, `At most ${EVALUATION_TARGETS_MAX} targets`)
    .describe('Each once: version × model.'),
  judgeModel: modelAlias
    .nullable()
    .default(null)
    .describe('Grades what a model is to grade; null: the first that is set up.'),
  reuse: z
    .boolean()
    .default(false)
    .describe('Takes over cells of earlier evaluations whose case, version, model and judge are the same.'),
})
export type EstimateEvaluationRequest = z.output<typeof estimateEvaluationRequest>

/** POST /api/evaluations */
export const startEvaluationRequest = estimateEvaluationRequest.extend({
  baseline: z.int().min(0).default(0).describe('Position of the target that the others are compared with.'),
  ceilingUsd: z
    .number()
    .positive('Must be more than 0')
    .max(EVALUATION_CEILING_MAX_USD, `Must be at most ${EVALUATION_CEILING_MAX_USD.toLocaleString('en')}`)
    .describe('US dollars. Once they are spent no further cell begins; those under way end.'),
})
export type StartEvaluationRequest = z.input<typeof startEvaluationRequest>

/** POST /api/evaluations/{id}/resume; the body may be absent. */
export const resumeEvaluationRequest = z
  .strictObject({
    ceilingUsd: startEvaluationRequest.shape.ceilingUsd.optional().describe('In place of the one before.'),
  })
  .nullish()

const range = {
  medianUsd: usd.nullable().describe('Where each cell costs the median; null: there is no price.'),
  p95Usd: usd
    .nullable()
    .describe('Where each cell costs what 95 of 100 cost at most; null: there is no price.'),
}

/** What an evaluation will cost, and what that rests on. */
export const evaluationEstimate = z.object({
  ...range,
  cells: z.int().describe('Cells that are to be asked.'),
  reused: z.int().describe('Cells that are taken over and cost nothing.'),
  uncounted: z.int().describe('Cells of models without a price.'),
  targets: z
    .array(
      z.object({
        version,
        model: storedModel.nullable(),
        basis: z
          .enum(['runs', 'text'])
          .describe('runs: the tokens of past runs; text: the length of the texts, as nothing ran yet.'),
        runs: z.int().describe('Past runs that it rests on.'),
        ...range,
      }),
    )
    .describe('What the cells of each target cost.'),
  judge: z
    .object({ model: storedModel, calls: z.int().describe('At most so many.'), ...range })
    .nullable()
    .describe('What grading by a model costs; null: nothing is graded so.'),
})
export type EvaluationEstimate = z.infer<typeof evaluationEstimate>

const evaluationTarget = z.object({
  position,
  version,
  model: storedModel.nullable().describe('null: of a chain, whose steps name their own.'),
  modelId: z
    .string()
    .nullable()
    .describe('The model that answered, as its provider names it; null: none yet.'),
  labels: z.array(z.string()).describe('What the version carries now.'),
})
export type EvaluationTarget = z.infer<typeof evaluationTarget>

const evaluationCase = z.object({
  position,
  name: z.string().describe('As it was when the evaluation started.'),
  tags: z.array(z.string()).describe('As they were.'),
  given: z.string().describe('What it is given, in a line: its values, else its input.'),
})
export type EvaluationCase = z.infer<typeof evaluationCase>

const place = { casePosition: position, targetPosition: position }

const evaluationCell = z.object({
  ...place,
  status: cellStatus,
  reason: z.string().nullable().describe('The first that failed, in words.'),
  failing: z.int().describe('Assertions that failed.'),
  notRun: z.int().describe('Assertions that can’t run here; they never count as passed.'),
  score: z.number().nullable().describe('0 to 1.'),
  durationMs: z.int().nullable().describe('From the call to the end of the answer.'),
  costUsd: usd.nullable().describe('Run and judge together; null: no price is known.'),
  executionId: id.nullable().describe('Its run, where the caller may open it and it is there.'),
  reusedFrom: id.nullable().describe('The evaluation that it was taken over from.'),
})
export type EvaluationCell = z.infer<typeof evaluationCell>

/** GET /api/evaluations/{id}/cells/{case}/{target} */
export const evaluationCellDetail = evaluationCell.extend({
  caseName: z.string().describe('As it was when the evaluation started.'),
  results: z.array(assertionResult).describe('Of each assertion.'),
})
export type EvaluationCellDetail = z.infer<typeof evaluationCellDetail>

export const evaluationCellParams = z.strictObject({
  id: idParam.describe('Of the evaluation.'),
  case: z.coerce.number().int().min(0).max(EVALUATION_CELLS_MAX).describe('Position of the case.'),
  target: z.coerce.number().int().min(0).max(EVALUATION_TARGETS_MAX).describe('Position of the target.'),
})

const head = {
  id,
  kind: z.enum(['prompt', 'chain']).describe('What is tested.'),
  recordId: id.describe('Of the prompt or chain.'),
  recordName: z.string().describe('As it is called now.'),
  suiteId: id.nullable().describe('null: the suite was deleted.'),
  suiteName: z.string().describe('As it was when the evaluation started.'),
  status: evaluationStatus,
  stopReason: z.string().nullable().describe('Why it was stopped, in words.'),
  startedBy: z.string().describe('Username of the person whose rights, values and money it uses.'),
  isMine: z.boolean().describe('The caller started it.'),
  startedAt: timestamp,
  finishedAt: timestamp.nullable().describe('When its last cell ended.'),
  costUsd: usd,
}

/** GET /api/evaluations: one as lists show it. */
export const listedEvaluation = z.object({
  ...head,
  cells: z.int().describe('All cells.'),
  ended: z.int().describe('Cells that have ended.'),
  passed: z.int().describe('Cells that passed, of those whose result the caller sees.'),
  private: z.int().describe('Ended cells whose result only who ran them sees (D59).'),
  targets: z.array(z.object({ version, model: storedModel.nullable() })).describe('Version × model.'),
})
export type ListedEvaluation = z.infer<typeof listedEvaluation>

/** GET /api/evaluations/{id} */
export const evaluation = z.object({
  ...head,
  ceilingUsd: z.number().describe('US dollars at which no further cell begins.'),
  uncounted: z.int().describe('Ended cells whose cost nobody knows.'),
  estimate: evaluationEstimate.describe('As it was before the start.'),
  judgeModel: storedModel.nullable().describe('Who grades; null: no assertion asks a model.'),
  reuse: z.boolean().describe('Cells of earlier evaluations were taken over.'),
  baseline: position.describe('Of the target that the others are compared with.'),
  targets: z.array(evaluationTarget).describe('The columns.'),
  cases: z.array(evaluationCase).describe('The rows, frozen at the start.'),
  cells: z.array(evaluationCell).describe('By case, then target.'),
  gates: z.array(z.string()).describe('Labels that need a passed suite before they are moved.'),
  isCurrent: z.boolean().describe('The suite’s cases are still those that ran here.'),
  canStop: z.boolean().describe('The caller may stop it.'),
  canResume: z.boolean().describe('The caller may have it go on.'),
  canDelete: z.boolean().describe('The caller may delete it.'),
})
export type Evaluation = z.infer<typeof evaluation>

const ofOneRecord = [
  (query: { promptId?: number | undefined; chainId?: number | undefined }) =>
    (query.promptId === undefined) !== (query.chainId === undefined),
  'Name a promptId or a chainId',
] as const
const record = {
  promptId: idParam.optional().describe('Only of this prompt.'),
  chainId: idParam.optional().describe('Only of this chain.'),
}

/** GET /api/evaluations?promptId= | chainId= | suiteId= */
export const listEvaluationsQuery = listQuery
  .extend({ ...record, suiteId: idParam.optional().describe('Only of this suite.') })
  .refine(...ofOneRecord)
export type ListEvaluationsQuery = z.output<typeof listEvaluationsQuery>

/** GET /api/evaluations/versions?promptId= | chainId= */
export const versionTestsQuery = z.strictObject(record).refine(...ofOneRecord)
export type VersionTestsQuery = z.output<typeof versionTestsQuery>
export const versionTests = z.object({
  version,
  cells: z
    .int()
    .describe(
      'Of its newest completed evaluation by each suite, whatever model answered; those whose result the caller sees.',
    ),
  passed: z.int().describe('Cells of them that passed.'),
})
export type VersionTests = z.infer<typeof versionTests>
