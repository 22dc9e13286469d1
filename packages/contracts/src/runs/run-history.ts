import * as z from 'zod'
import { idParam, idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'
import { seenChainRun, seenLatestRun, seenRun, TRIGGERS, tokenRun } from './chain-runs.ts'
import { ratedQuery } from './ratings.ts'
import { seenRunState } from './run-states.ts'
import { itemOfRunParams, listedRunItem, runItem, runStep, stepOfRunParams } from './run-steps.ts'
import { listedPromptRun, promptRun, RUN_STATUSES } from './runs.ts'

const pageQuery = listQuery.extend({
  before: idParam.optional().describe('Only runs with a smaller id.'),
})
export type PageQuery = z.output<typeof pageQuery>

const promptHistoryQuery = pageQuery.extend(ratedQuery)
export type PromptHistoryQuery = z.output<typeof promptHistoryQuery>

const chainHistoryQuery = pageQuery.extend({
  ...ratedQuery,
  trigger: z.enum(TRIGGERS).optional().describe('Only runs that it started.'),
})
export type ChainHistoryQuery = z.output<typeof chainHistoryQuery>

const itemsQuery = listQuery.extend({
  status: z
    .enum(['waiting', ...RUN_STATUSES, 'skipped'])
    .optional()
    .describe('Only items that are so.'),
})
export type ItemsQuery = z.output<typeof itemsQuery>

/** Runs of prompts and chains alike: one space of ids (D31). */
export const runHistoryApi = defineApi('executions', {
  'GET /api/executions/{id}': {
    who: 'user',
    summary: 'A run with its steps',
    params: idParams,
    reply: seenRun,
  },
  'GET /api/executions/{id}/steps/{position}': {
    who: 'user',
    summary: 'One step of a run with its full texts',
    params: stepOfRunParams,
    reply: runStep,
  },
  'GET /api/executions/{id}/steps/{position}/items': {
    who: 'user',
    summary: 'The items that a step of a run runs for, in the order of the list',
    params: stepOfRunParams,
    query: itemsQuery,
    list: listedRunItem,
  },
  'GET /api/executions/{id}/steps/{position}/items/{index}': {
    who: 'user',
    summary: 'One item of a step with its full texts',
    params: itemOfRunParams,
    reply: runItem,
  },
  'GET /api/executions/{id}/files/{fileId}': {
    who: 'user',
    summary: 'The bytes of an image or PDF sent to a step',
    params: z.strictObject({
      id: idParam.describe('Id of the run.'),
      fileId: idParam.describe('Id of a file that one of its steps was sent.'),
    }),
    media: true,
  },
  'GET /api/executions/{id}/status': {
    who: 'user',
    summary: 'The state of a run, without texts',
    params: idParams,
    reply: seenRunState,
  },
  'POST /api/executions/{id}/cancel': {
    who: 'user',
    summary: 'Stop a run; one that has ended stays as it is',
    description:
      'For another person’s run that may use private values the reply is always 202, so that it doesn’t reveal whether the run was running.',
    params: idParams,
    sends: { 200: seenRunState, 202: seenRunState },
    activity: { kind: 'run.stopped', object: 'run' },
  },
  'DELETE /api/executions/{id}': {
    who: 'user',
    summary: 'Delete a run; a running one is stopped first',
    params: idParams,
    activity: { kind: 'run.deleted', object: 'run' },
  },
  'GET /api/chains/{id}/executions': {
    who: 'user',
    summary: 'History of a chain, newest first',
    params: idParams,
    query: chainHistoryQuery,
    list: seenChainRun,
  },
  'GET /api/latest-chain-runs': {
    who: 'user',
    summary: 'The newest run of each chain',
    description: 'Only for chains and runs that the caller can see.',
    reply: z.array(seenLatestRun),
  },
  'GET /api/tokens/{id}/executions': {
    who: 'user',
    summary: 'Your runs through a token, newest first',
    params: idParams,
    query: pageQuery,
    list: tokenRun,
  },
  'GET /api/prompts/{id}/executions': {
    who: 'user',
    summary: 'History of a prompt, newest first',
    params: idParams,
    query: promptHistoryQuery,
    list: listedPromptRun,
  },
  'GET /api/prompts/{id}/executions/{executionId}': {
    who: 'user',
    summary: 'One run of a prompt with its full texts',
    params: z.strictObject({
      id: idParam.describe('Id of the prompt.'),
      executionId: idParam.describe('Id of a run of the prompt.'),
    }),
    reply: promptRun,
  },
  'GET /api/executions': {
    who: 'user',
    summary: 'History of a prompt, newest first',
    query: promptHistoryQuery.extend({ promptId: idParam.describe('Whose runs.') }),
    list: listedPromptRun,
  },
  'DELETE /api/prompts/{id}/executions': {
    who: 'user',
    summary: 'Clear your own history of a prompt',
    params: idParams,
    activity: { kind: 'prompt.runs_deleted', object: 'prompt' },
  },
})
