import * as z from 'zod'
import { id, idParam, timestamp } from '../common.ts'
import { listQuery } from '../lists.ts'

/** What a chain's form takes to tell it from others (D45). */
export const EXAMPLE_REQUESTS_MAX = 10
export const EXAMPLE_REQUEST_LENGTH = 300
/** What is kept of a request that a chain was chosen for. */
export const SELECTION_REQUEST_LENGTH = 2_000
export const SELECTIONS_PAGE = 20
const SELECTIONS_PAGE_MAX = 100
/** Scores that a list shows of each. */
export const SCORES_LISTED = 10

export const exampleRequests = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'An example request must not be empty')
      .max(EXAMPLE_REQUEST_LENGTH, `An example request has at most ${EXAMPLE_REQUEST_LENGTH} characters`)
      .regex(/^[^\r\n]*$/, 'An example request is one line'),
  )
  .max(EXAMPLE_REQUESTS_MAX, `A chain has at most ${EXAMPLE_REQUESTS_MAX} example requests`)
  .describe('What people ask this chain for; Best Chain uses them to choose.')

const confidence = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe(
    'As the model judged, 0 where it found that none fits; else by how much the words of the best chain are ahead of ' +
      "the second's, on a fixed scale; null: the request named it.",
  )
const bestScore = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe(
    'How well the words of the best chain fit, on the same scale; null: not known, or the request named it.',
  )

/** How a chain was chosen. */
export const SELECTION_WAYS = ['judge', 'lexical', 'fallback', 'only', 'named'] as const
const way = z
  .enum(SELECTION_WAYS)
  .describe(
    'judge: by a model; lexical: by the words, as no model is set up; fallback: by the words, as the model gave no ' +
      'usable answer; only: there was one chain; named: the request named it.',
  )

/** What a request with a Best Chain token came to (D40). */
export const bestChainSelection = z.object({
  id,
  tokenId: id.nullable().describe('null: it is deleted.'),
  tokenName: z.string().describe('Of the token that the request came with.'),
  request: z.string().describe(`Its first ${SELECTION_REQUEST_LENGTH} characters.`),
  chainId: id.nullable().describe('null: it is deleted.'),
  chainName: z.string().describe('As it was then.'),
  way,
  confidence,
  bestScore,
  reasoning: z.string().describe("The model's, or why there was none."),
  scores: z
    .array(
      z.object({
        chainId: id,
        chainName: z.string().describe('As it was then.'),
        score: z.number().min(0).max(1).describe('How well its words fit, by the best one.'),
        shown: z.boolean().describe('The model could choose it.'),
      }),
    )
    .describe('Of each chain that the token reached, best first.'),
  asked: z.boolean().describe('Below the threshold of the token: the answer was a question, nothing ran.'),
  executionId: id.nullable().describe('The run; null: nothing ran, or it is deleted.'),
  costUsd: z.number().nullable().describe('Of the choice; null: not known, or none.'),
  correctedTo: z
    .object({ chainId: id, chainName: z.string().describe('As it is now.') })
    .nullable()
    .describe('What it should have been, by its person.'),
  createdAt: timestamp,
})
export type BestChainSelection = z.infer<typeof bestChainSelection>

/** In GET /api/best-selections: with its first scores. */
export const listedSelection = bestChainSelection.extend({
  scoresCount: z
    .int()
    .optional()
    .describe('How many scores the selection has, asked for by id; absent where these are all.'),
})
export type ListedSelection = z.infer<typeof listedSelection>

/** GET /api/best-selections: of one's own tokens, newest first. */
export const listSelectionsQuery = listQuery.extend({
  tokenId: idParam.optional().describe('Only those of this token.'),
  before: idParam.optional().describe('Only selections with a smaller id.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(SELECTIONS_PAGE_MAX)
    .default(SELECTIONS_PAGE)
    .describe('Selections of a page.'),
})

/** POST /api/best-selections/{id}/correction: 'should have been …'. */
export const correctSelectionRequest = z.strictObject({
  chainId: id.describe('Which of the chains it should have been.'),
})

export const correctedSelection = z.object({
  selection: bestChainSelection.describe('As it is now.'),
  example: z
    .enum(['added', 'present', 'full', 'forbidden'])
    .describe(
      'Whether the request is an example of that chain from now on. full: it has ten; forbidden: the caller may not edit it.',
    ),
})
export type CorrectedSelection = z.infer<typeof correctedSelection>

const chosen = {
  confidence,
  best_score: bestScore,
  reasoning: z.string().describe("The model's, or why there was none."),
}

/** Beside the vendor's fields in replies to a Best Chain token (D40); with `nearest` it asked, and nothing was selected (D64). */
export const bestChainChoice = z.union([
  z.object({ selected_chain_id: id, chain_name: z.string().describe('As it is now.'), ...chosen }),
  z.object({
    ...chosen,
    nearest: z
      .array(z.object({ chain_id: id, chain_name: z.string().describe('As it is now.') }))
      .describe('Which chains the question names, the likeliest first.'),
  }),
])
export type BestChainChoice = z.infer<typeof bestChainChoice>
