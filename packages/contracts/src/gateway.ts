import * as z from 'zod'
import { RUN_IS_KEPT } from './activity-kinds.ts'
import { defineApi } from './endpoint.ts'

/** Cookies are ignored here, so that no site can borrow a session; hidden, as the forms are the vendors' own. */
const CALL = { who: 'chain token', hidden: true, crossSiteCheck: false, sends: {} } as const

/** Coding agents send a whole conversation with a dozen tools. Runs are limited by the token. */
const POSTED = {
  ...CALL,
  bodyBytes: 16 * 1024 * 1024,
  bodyValues: 100_000,
  notReplayed: true,
  reads: 'begin',
  writes: 'unlimited',
} as const

const response = z.object({ id: z.string() })

export const gatewayApi = defineApi('gateway', {
  'POST /v1/messages': {
    ...POSTED,
    summary: 'Answer in the form of Anthropic’s API',
    activity: { none: RUN_IS_KEPT },
  },
  'POST /v1/messages/count_tokens': {
    ...POSTED,
    summary: 'Estimate the tokens of a conversation',
    activity: { none: 'It counts and changes nothing.' },
  },
  'POST /v1/chat/completions': {
    ...POSTED,
    summary: 'Answer in the form of OpenAI’s Chat Completions API',
    activity: { none: RUN_IS_KEPT },
  },
  'POST /v1/responses': {
    ...POSTED,
    summary: 'Answer in the form of OpenAI’s Responses API',
    activity: { none: RUN_IS_KEPT },
  },
  'GET /v1/responses/{id}': {
    ...CALL,
    summary: 'An answer in the background, as it is now',
    params: response,
  },
  'POST /v1/responses/{id}/cancel': {
    ...CALL,
    notReplayed: true,
    writes: 'unlimited',
    summary: 'Stop an answer in the background',
    params: response,
    activity: { none: 'A program ends its own call; the run says that it was stopped.' },
  },
  'DELETE /v1/responses/{id}': {
    ...CALL,
    notReplayed: true,
    writes: 'unlimited',
    summary: 'No longer give out an answer in the background',
    params: response,
    activity: { none: 'The run stays.' },
  },
  'POST /v1/route': {
    ...POSTED,
    summary: 'See which chain Best Chain would choose',
    activity: { none: 'The choice is kept among those of its token.' },
  },
  'GET /v1/models': { ...CALL, summary: 'List what the token can call' },
  'GET /v1/models/{model}': {
    ...CALL,
    summary: 'One of these',
    params: z.object({ model: z.string() }),
  },
})

const CONNECTION = {
  hidden: true,
  crossSiteCheck: false,
  notReplayed: true,
  sends: {},
  writes: 'unlimited',
} as const

export const mcpApi = defineApi('mcp', {
  'POST /mcp': {
    ...CONNECTION,
    who: 'agents token',
    summary: 'Send a message',
    activity: { none: 'Runs and fetches of agents are kept with their token; agents change nothing else.' },
  },
  'GET /mcp': { ...CONNECTION, who: 'guest', summary: 'Refused: there are no sessions here' },
  'DELETE /mcp': {
    ...CONNECTION,
    who: 'guest',
    summary: 'Refused: there are no sessions here',
    activity: { none: 'It is refused.' },
  },
})
