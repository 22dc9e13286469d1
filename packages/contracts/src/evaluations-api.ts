import * as z from 'zod'
import { idParam, idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import {
  EVALUATION_CELLS_MAX,
  EVALUATION_TARGETS_MAX,
  estimateEvaluationRequest,
  evaluation,
  evaluationCellDetail,
  evaluationForecast,
  listedEvaluation,
  startEvaluationRequest,
  versionTests,
} from './evaluations.ts'
import { listQuery } from './lists.ts'

const resumeEvaluationRequest = z
  .strictObject({
    ceilingUsd: startEvaluationRequest.shape.ceilingUsd.optional().describe('New budget.'),
  })
  .nullish()

const ofOneRecord = [
  (query: { promptId?: number | undefined; chainId?: number | undefined }) =>
    (query.promptId === undefined) !== (query.chainId === undefined),
  'Name a promptId or a chainId',
] as const
const record = {
  promptId: idParam.optional().describe('Only evaluations of this prompt.'),
  chainId: idParam.optional().describe('Only evaluations of this chain.'),
}

const listEvaluationsQuery = listQuery
  .extend({ ...record, suiteId: idParam.optional().describe('Only evaluations with this suite.') })
  .refine(...ofOneRecord)
export type ListEvaluationsQuery = z.output<typeof listEvaluationsQuery>

const versionTestsQuery = z.strictObject(record).refine(...ofOneRecord)
export type VersionTestsQuery = z.output<typeof versionTestsQuery>

export const evaluationsApi = defineApi('evaluations', {
  'POST /api/evaluations/estimate': {
    who: 'user',
    summary: 'What an evaluation would cost',
    description:
      'Based on the tokens of past runs if there are any, otherwise on the length of the texts. Includes grading by models.',
    body: estimateEvaluationRequest,
    reply: evaluationForecast,
    errors: [409],
    activity: { none: 'It estimates and changes nothing.' },
  },
  'POST /api/evaluations': {
    who: 'user',
    summary: 'Evaluate versions on the tests of a suite',
    description:
      'For anyone who may run the prompt or chain. It uses their rights, values and budget. Tests and targets are frozen. ' +
      'Each cell is an execution that does not appear in the ordinary histories. A private value of theirs whose name ' +
      'somebody else brought into the texts needs `fills`, or the reply is 409 with code `private_values`.',
    body: startEvaluationRequest,
    created: evaluation,
    errors: [409],
    activity: { kind: 'evaluation.started', object: 'evaluation' },
  },
  'GET /api/evaluations': {
    who: 'user',
    summary: 'Evaluations of a prompt or chain, newest first',
    description: 'Your own; everyone’s if you may change the prompt or chain.',
    query: listEvaluationsQuery,
    list: listedEvaluation,
  },
  'GET /api/evaluations/versions': {
    who: 'user',
    summary: 'Test results of each version',
    description:
      'For versions in a completed evaluation: your own; everyone’s if you may change the prompt or chain.',
    query: versionTestsQuery,
    reply: z.array(versionTests),
  },
  'GET /api/evaluations/{id}': {
    who: 'user',
    summary: 'An evaluation with all its results',
    description:
      'For the person who started it and people who may change the prompt or chain; once complete, for everyone signed in who ' +
      'sees the prompt or chain.',
    params: idParams,
    reply: evaluation,
  },
  'GET /api/evaluations/{id}/cells/{case}/{target}': {
    who: 'user',
    summary: 'A result with its answer and findings',
    params: z.strictObject({
      id: idParam.describe('Id of the evaluation.'),
      case: z.coerce.number().int().min(0).max(EVALUATION_CELLS_MAX).describe('Position of the case.'),
      target: z.coerce.number().int().min(0).max(EVALUATION_TARGETS_MAX).describe('Position of the target.'),
    }),
    reply: evaluationCellDetail,
  },
  'POST /api/evaluations/{id}/stop': {
    who: 'user',
    summary: 'Stop an evaluation',
    description:
      'No more results are started; running ones finish. An evaluation that has ended is not changed.',
    params: idParams,
    reply: evaluation,
    activity: { kind: 'evaluation.stopped', object: 'evaluation' },
  },
  'POST /api/evaluations/{id}/resume': {
    who: 'user',
    summary: 'Resume the remaining results',
    description: 'For the person who started it. Finished results are not run again.',
    params: idParams,
    body: resumeEvaluationRequest,
    reply: evaluation,
    errors: [409],
    activity: { kind: 'evaluation.resumed', object: 'evaluation' },
  },
  'DELETE /api/evaluations/{id}': {
    who: 'user',
    summary: 'Delete an evaluation with its runs',
    description: 'For the person who started it, once it is no longer running.',
    params: idParams,
    errors: [409],
    activity: { kind: 'evaluation.deleted', object: 'evaluation' },
  },
})
