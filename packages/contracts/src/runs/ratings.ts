import * as z from 'zod'
import { idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'

export const RATING_NOTE_MAX = 500

const thumb = z.enum(['up', 'down'])
const rated = {
  thumb: thumb.nullable().describe('null: a note without a rating.'),
  note: z
    .string()
    .trim()
    .max(RATING_NOTE_MAX, `The note must be at most ${RATING_NOTE_MAX} characters`)
    .describe('Note about the answer; may be empty.'),
}

const rateRequest = z.strictObject(rated).refine(({ thumb, note }) => thumb !== null || note !== '', {
  path: ['thumb'],
  message: 'A rating needs a thumb or a note. Delete it to remove it.',
})
export type RateRequest = z.output<typeof rateRequest>

export const rating = z.object(rated)
export type Rating = z.infer<typeof rating>

export const runRatings = z.object({
  own: rating.nullable().describe('The caller’s rating; null: none.'),
  others: z
    .array(
      rating.extend({
        username: z.string().describe('Username of the person who rated it.'),
        ratedAt: timestamp,
      }),
    )
    .describe('Other people’s ratings, for the person who started the run: the newest 100, newest first.'),
})
export type RunRatings = z.infer<typeof runRatings>

export const ownRating = rating.optional().describe('The caller’s own rating; absent: none.')

export const ratedQuery = {
  rated: thumb.optional().describe('Only runs with this rating by the caller.'),
}

export const ratingsApi = defineApi('executions', {
  'GET /api/executions/{id}/ratings': {
    who: 'user',
    summary: 'Your rating of a run, and others’ if you started it',
    params: idParams,
    reply: runRatings,
  },
  'PUT /api/executions/{id}/rating': {
    who: 'user',
    summary: 'Rate the answer of a run that you may read',
    params: idParams,
    body: rateRequest,
    reply: rating,
    activity: { kind: 'run.rated', object: 'run' },
  },
  'DELETE /api/executions/{id}/rating': {
    who: 'user',
    summary: 'Remove your rating',
    params: idParams,
    activity: { kind: 'run.rating_removed', object: 'run' },
  },
})
