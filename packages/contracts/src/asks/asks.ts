import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { clip, listQuery } from '../lists.ts'
import { stepOfRunParams } from '../runs/run-steps.ts'
import { ASK_TEXT_MAX, askChoice, askedPeople } from './step-ask.ts'

export const ASK_REASON_MAX = 2_000

export const ASK_STATUSES = ['open', 'answered', 'expired', 'withdrawn'] as const
const askStatus = z
  .enum(ASK_STATUSES)
  .describe(
    'expired: its deadline passed, or nobody was left who could answer, so onDeadline held; withdrawn: its run was stopped, or it belongs to a restored copy.',
  )
export type AskStatus = z.infer<typeof askStatus>

/** A call of a step of which nobody knows whether it happened (D84). */
const unsureCall = z.object({
  item: z.int().nullable().describe('Place of its item in the list, from 0; null: its step runs once.'),
  why: z.string().describe('Why nobody knows.'),
})
export type UnsureCall = z.infer<typeof unsureCall>

/** What a run in progress waits for, if it waits for a person. */
export const waitingFor = z
  .object({
    askId: id,
    title: z.string().describe('Title of the step.'),
    since: timestamp.describe('When it was asked.'),
    deadline: timestamp.describe('When the choice for nobody’s answer holds.'),
    ...askedPeople,
    unsure: z
      .literal(true)
      .optional()
      .describe(
        'A call of the step may have happened: its runner says so, or the run fails. Absent: it asks.',
      ),
  })
  .describe('The person’s answer that it waits for. Absent: it waits for none.')
export type WaitingFor = z.infer<typeof waitingFor>

const askedCall = z.object({
  position: z.int().describe('Position of the step that sends it, from 0.'),
  title: z.string().describe('Title of that step.'),
  text: z
    .string()
    .describe('What it sends, with the values that are known; other references stand as they are written.'),
})
export type AskedCall = z.infer<typeof askedCall>

export const ask = z.object({
  id,
  executionId: id,
  chainId: id,
  chainName: z.string().describe('Value when the run started.'),
  position: z.int().describe('Position of the step in the run, from 0.'),
  title: z.string().describe('Title of the step.'),
  runBy: z.string().describe('Username of the person whose run it is.'),
  question: z.string().describe('One line.'),
  text: z.string().describe('With values substituted; of an unsure call what was sent.'),
  editable: z.boolean().describe('Whoever answers may change the text.'),
  ...askedPeople,
  choices: z.array(askChoice).describe('In the order in which they are shown.'),
  onDeadline: z
    .string()
    .describe(
      'Id of the choice that holds when nobody answers in time. Empty: the run fails with tool_unsure.',
    ),
  since: timestamp.describe('When it was asked.'),
  deadline: timestamp,
  status: askStatus,
  decision: z.string().nullable().describe('Id of the choice; null: none.'),
  givenText: z
    .string()
    .nullable()
    .describe(
      'The text as whoever answered changed it, of an unsure call the answer that they gave; null: neither.',
    ),
  reason: z.string().nullable().describe('Their reason; null: none.'),
  by: z.string().nullable().describe('Username of who answered; null: nobody.'),
  at: timestamp.nullable().describe('When it was closed; null: it is open.'),
  canAnswer: z.boolean().describe('The caller may answer it now.'),
  calls: z
    .array(askedCall)
    .optional()
    .describe(
      'What later steps that take its output send. If that changes before they send it, the run asks anew. Absent: nothing; not in lists.',
    ),
  unsure: unsureCall
    .optional()
    .describe(
      'Whether a call happened, for its runner to say by POST /api/executions/{id}/steps/{position}/unsure. Absent: a step asks.',
    ),
})
export type Ask = z.infer<typeof ask>

export const listedAsk = ask.extend({
  textClipped: clip.clipped,
  textLength: clip.length,
  givenText: ask.shape.givenText.describe(
    'As text, cut off at 500 characters; null: they did not change it.',
  ),
})
export type ListedAsk = z.infer<typeof listedAsk>

export const listAsksQuery = listQuery.extend({
  status: askStatus.optional().describe('Only those; absent: all.'),
})

export const answerAskRequest = z.strictObject({
  decision: z.string().min(1, 'Choose an answer').max(100).describe('Id of a choice.'),
  text: z
    .string()
    .max(ASK_TEXT_MAX)
    .optional()
    .describe('The text, changed; only where it is editable. Absent: as it was.'),
  reason: z
    .string()
    .trim()
    .max(ASK_REASON_MAX, `A reason can have at most ${ASK_REASON_MAX} characters`)
    .optional()
    .describe('Stands in the output of the step.'),
})
export type AnswerAskRequest = z.infer<typeof answerAskRequest>

export const UNSURE_ANSWER_MAX = 1_000_000

export const answerUnsureRequest = z.strictObject({
  item: z
    .int()
    .min(0)
    .optional()
    .describe('Place of the item in the list, from 0. Absent: its step runs once.'),
  happened: z
    .boolean()
    .describe(
      'true: the run goes on as if it had got the answer; false: the call is sent again, with its key.',
    ),
  answer: z
    .string()
    .max(UNSURE_ANSWER_MAX, 'The answer can have at most a million characters')
    .optional()
    .describe('What the service answered, where it happened: the output. Absent: it is empty.'),
})
export type AnswerUnsureRequest = z.infer<typeof answerUnsureRequest>

export const waitingAsks = z.object({ count: z.int().describe('Open asks that the caller may answer.') })

export const asksApi = defineApi('executions', {
  'GET /api/asks': {
    who: 'user',
    summary: 'What runs ask you, or ask for you, newest first',
    description:
      'Those that the caller may answer or could have answered, and those of the caller’s own runs. Closed ones too.',
    query: listAsksQuery,
    list: listedAsk,
  },
  'GET /api/asks/count': {
    who: 'user',
    summary: 'How many runs wait for your answer',
    reply: waitingAsks,
  },
  'GET /api/asks/{id}': {
    who: 'user',
    summary: 'An ask of a run',
    params: idParams,
    reply: ask,
  },
  'POST /api/asks/{id}/answer': {
    who: 'user',
    summary: 'Answer an ask, upon which its run goes on or ends',
    description:
      'Only with a session. One answer counts: a second is refused with 409 and the ask, with the first answer, as details.',
    params: idParams,
    body: answerAskRequest,
    reply: ask,
    errors: [403, 409],
    activity: { kind: 'ask.answered', object: 'ask' },
  },
  'POST /api/executions/{id}/steps/{position}/unsure': {
    who: 'user',
    summary: 'Say whether a call happened of which nobody knows',
    description:
      'For the person whose run it is alone, with a session. Once each of its unsure calls is answered, the run goes on. After 30 days without it fails with tool_unsure.',
    params: stepOfRunParams,
    body: answerUnsureRequest,
    reply: ask,
    errors: [409],
    activity: { kind: 'ask.answered', object: 'ask' },
  },
})
