import * as z from 'zod'
import { id, idParam, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'

export const EXAMPLE_REQUESTS_MAX = 10
export const EXAMPLE_REQUEST_LENGTH = 300
export const SELECTION_REQUEST_LENGTH = 2_000
export const SELECTIONS_PAGE = 20
const SELECTIONS_PAGE_MAX = 100
export const SCORES_LISTED = 10

export const exampleRequests = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'An example request must not be empty')
      .max(EXAMPLE_REQUEST_LENGTH, `An example request can have at most ${EXAMPLE_REQUEST_LENGTH} characters`)
      .regex(/^[^\r\n]*$/, 'An example request must be a single line'),
  )
  .max(EXAMPLE_REQUESTS_MAX, `A chain can have at most ${EXAMPLE_REQUESTS_MAX} example requests`)
  .describe('What people ask this chain for; Best Chain uses them to choose.')

const confidence = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe(
    'The model’s confidence, 0 if it found that none fits; otherwise how far the best chain’s keyword score is ahead of ' +
      "the second's, on a fixed scale; null: the request named it.",
  )
const bestScore = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Keyword score of the best chain, on the same scale; null: unknown, or the request named it.')

/** `judge`: a model chose; `lexical`: by matching words. */
export const SELECTION_WAYS = ['judge', 'lexical', 'fallback', 'only', 'named'] as const
const way = z
  .enum(SELECTION_WAYS)
  .describe(
    'judge: by a model; lexical: by keywords, as no model is set up; fallback: by keywords, as the model gave no ' +
      'usable answer; only: there was one chain; named: the request named it.',
  )

export const bestChainSelection = z.object({
  id,
  tokenId: id.nullable().describe('null: deleted.'),
  tokenName: z.string().describe('Name of the request’s token.'),
  request: z.string().describe(`Its first ${SELECTION_REQUEST_LENGTH} characters.`),
  chainId: id.nullable().describe('null: deleted.'),
  chainName: z.string().describe('Name at that time.'),
  way,
  confidence,
  bestScore,
  reasoning: z.string().describe('The model’s reason, or why there is none.'),
  scores: z
    .array(
      z.object({
        chainId: id,
        chainName: z.string().describe('Name at that time.'),
        score: z.number().min(0).max(1).describe('How well its words fit, relative to the best one.'),
        shown: z.boolean().describe('It was among the chains that the model could choose from.'),
      }),
    )
    .describe('Score of each chain that the token reached, best first.'),
  asked: z.boolean().describe('Below the token’s threshold: the answer was a question, and nothing ran.'),
  executionId: id.nullable().describe('Id of the run; null: nothing ran, or it was deleted.'),
  costUsd: z.number().nullable().describe('Cost of the choice; null: none or unknown.'),
  correctedTo: z
    .object({ chainId: id, chainName: z.string().describe('Current name.') })
    .nullable()
    .describe('Chain that it should have been, according to the token’s owner.'),
  createdAt: timestamp,
})
export type BestChainSelection = z.infer<typeof bestChainSelection>

export const listedSelection = bestChainSelection.extend({
  scoresCount: z
    .int()
    .optional()
    .describe('Total number of scores; absent: these are all. Get the selection by id for the rest.'),
})
export type ListedSelection = z.infer<typeof listedSelection>

export const listSelectionsQuery = listQuery.extend({
  tokenId: idParam.optional().describe('Only selections of this token.'),
  before: idParam.optional().describe('Only selections with a smaller id.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(SELECTIONS_PAGE_MAX)
    .default(SELECTIONS_PAGE)
    .describe('Selections per page.'),
})

export const correctSelectionRequest = z.strictObject({
  chainId: id.describe('Chain that it should have been.'),
})

export const correctedSelection = z.object({
  selection: bestChainSelection.describe('The selection after the correction.'),
  example: z
    .enum(['added', 'present', 'full', 'forbidden'])
    .describe(
      'Whether the request was added to that chain’s examples. full: it already has ten; forbidden: the caller may not edit it.',
    ),
})
export type CorrectedSelection = z.infer<typeof correctedSelection>

const chosen = {
  confidence,
  best_score: bestScore,
  reasoning: z.string().describe('The model’s reason, or why there is none.'),
}

/** Beside the vendor's fields in replies to a Best Chain token (D40). With `nearest` Catenary asked back (D64). */
export const bestChainChoice = z.union([
  z.object({ selected_chain_id: id, chain_name: z.string().describe('Current name.'), ...chosen }),
  z.object({
    ...chosen,
    nearest: z
      .array(z.object({ chain_id: id, chain_name: z.string().describe('Current name.') }))
      .describe('Chains named in the question, most likely first.'),
  }),
])
export type BestChainChoice = z.infer<typeof bestChainChoice>

export const selectionsApi = defineApi('tokens', {
  'GET /api/best-selections': {
    who: 'user',
    summary: 'What Best Chain chose for requests with your tokens, newest first',
    query: listSelectionsQuery,
    list: listedSelection,
    errors: [401],
  },
  'GET /api/best-selections/{id}': {
    who: 'user',
    summary: 'One choice of Best Chain with all its scores',
    params: idParams,
    reply: bestChainSelection,
  },
  'POST /api/best-selections/{id}/correction': {
    who: 'user',
    summary: 'Correct which chain Best Chain should have chosen',
    description: 'The request becomes an example of that chain, if you may edit it.',
    params: idParams,
    body: correctSelectionRequest,
    reply: correctedSelection,
    activity: { kind: 'chain.selection_corrected', object: 'chain' },
  },
})
