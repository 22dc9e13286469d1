import type { Chain, HttpTool, RunDetails, RunState, SealedStep } from '../../packages/contracts/src/index.ts'
import { unsureAsk } from './ask-answers.ts'
import { answers, changes, never, together } from './network.ts'

const text = { type: 'string' }

/** A refund that a shop's service books. */
const REFUND: HttpTool = {
  type: 'http',
  method: 'POST',
  url: 'https://shop.example.org/v1/orders/{{draft}}/refunds',
  query: [{ name: 'lang', value: 'en' }],
  headers: [{ name: 'Authorization', value: 'Bearer $<shop_key>' }],
  body: { type: 'json', content: '{\n  "amount": 49.90,\n  "note": "{{draft}}"\n}' },
  answer: {
    as: 'json',
    schema: {
      type: 'object',
      properties: { refund_id: text, state: { ...text, enum: ['booked', 'refused'] } },
      required: ['refund_id', 'state'],
      additionalProperties: false,
    },
  },
  safeToRepeat: false,
}

const ORDER = 'order-20418'
const CALL = `POST https://shop.example.org/v1/orders/${ORDER}/refunds?lang=en
Content-Type: application/json
Authorization: Bearer sk_live_51H

{
  "amount": 49.90,
  "note": "${ORDER}"
}`
const ANSWER = JSON.stringify({ refund_id: 'rf_88123', state: 'booked' })

const REFUSED =
  'The service refused the call (status 422): {"error":"order_closed","message":"Order 20418 was paid back on February 12. A second refund needs the approval of a lead."}'
const UNSURE = 'The service did not answer within 60 seconds. Nobody knows whether the call happened.'
const FAILURES = { refused: [REFUSED, 'tool_failed'], unsure: [UNSURE, 'tool_unsure'] } as const

function placesOf(value: string, name: string) {
  return [...CALL.matchAll(new RegExp(value, 'g'))].map(({ index }) => ({
    ...{ start: index, end: index + value.length, kind: 'output' as const, name },
  }))
}

/** The letter's second step calls a service, in its chain and in its runs. */
export function calls(outcome: 'answered' | keyof typeof FAILURES, chain: Partial<Chain> = {}) {
  const [error, errorCode] = outcome === 'answered' ? [null, null] : FAILURES[outcome]
  const status = error === null ? ('completed' as const) : ('failed' as const)
  const told = { status, error, canResume: error !== null }
  const titles = { title: 'Book the refund', outputVariableName: 'refund', model: null }
  return together(
    changes<Chain>(/^\/api\/chains\/\d+$/, (stored) => ({
      ...stored,
      ...chain,
      steps: stored.steps.map((step, index) =>
        index === 1 ? { ...step, ...titles, kind: 'tool', content: '', tool: REFUND } : step,
      ),
    })),
    changes<RunDetails>(/^\/api\/executions\/\d+$/, (run) => ({
      ...run,
      ...told,
      steps: run.steps.map((step, index) =>
        index === 1
          ? {
              ...step,
              ...titles,
              ...{ status, error, errorCode, inputContent: CALL, inputSegments: placesOf(ORDER, 'draft') },
              ...{ modelId: null, provider: null, finishReason: null, inputTokens: null, outputTokens: null },
              ...{ costUsd: 0, durationMs: 640 },
              aiResponse: error === null ? ANSWER : null,
              outputVariableValue: error === null ? ANSWER : null,
            }
          : { ...step, aiResponse: ORDER, outputVariableValue: ORDER },
      ),
      ...(error === null && { output: ANSWER }),
    })),
    changes<RunState>(/^\/api\/executions\/\d+\/status$/, (state) => ({
      ...state,
      ...told,
      steps: state.steps.map((step, index) => (index === 1 ? { ...step, status, error } : step)),
    })),
    never(/^\/api\/executions\/\d+\/events$/),
  )
}

const since = new Date(Date.now() - 600_000).toISOString()
const deadline = new Date(Date.now() + 30 * 86_400_000).toISOString()
const waitingFor = {
  ...{ askId: unsureAsk.id, title: 'Book the refund', since, deadline, people: ['grace'], groups: [] },
  unsure: true as const,
}
const going = { status: 'running', error: null, canResume: false, waitingFor } as const
const unsure = { status: 'unsure', error: null, errorCode: null } as const

/** The same where its runner is asked whether the call happened. */
export const waits = together(
  calls('unsure'),
  answers(`/api/asks/${unsureAsk.id}`, {
    ...unsureAsk,
    question: 'Did the call of “Book the refund” happen?',
  }),
  changes<RunDetails>(/^\/api\/executions\/\d+$/, (run) => ({
    ...run,
    ...going,
    output: null,
    result: null,
    steps: run.steps.map((step, index) => (index === 1 ? { ...step, ...unsure } : step)),
  })),
  changes<RunState>(/^\/api\/executions\/\d+\/status$/, (state) => ({
    ...state,
    ...going,
    steps: state.steps.map((step, index) =>
      index === 1 ? { ...step, status: 'unsure', error: null } : step,
    ),
  })),
)

const LONG = `https://billing.a-harbour-with-a-name-as-long-as-its-pier.example.org/api/v2/customers/{{a_name_of_fifty_letters_is_as_long_as_it_can_be_x}}/invoices/{{invoice.number}}/lines?expand=$<fields>`

/** Steps as they get: all that a call may have, long names, and a text from right to left. */
export const toolSteps = [
  {
    title: 'Book the refund',
    outputVariableName: 'refund',
    tool: {
      ...REFUND,
      url: 'https://shop.example.org/v1/orders/{{counts}}/refunds',
      body: { type: 'json', content: '{\n  "amount": {{counts}},\n  "note": "{{digest}}"\n}' },
    },
  },
  {
    title: 'Find the parcel',
    outputVariableName: 'parcel',
    onlyIf: { all: [{ ref: 'refund.state', op: 'is', value: 'booked' }] },
    tool: {
      ...REFUND,
      method: 'GET',
      url: 'https://track.parcel.example/v2/{{refund.refund_id}}',
      query: [],
      headers: [],
      body: { type: 'none', content: '' },
      answer: { as: 'json' },
      safeToRepeat: true,
    },
  },
  {
    title: 'أرسل كل سطر من الفاتورة إلى خدمة الفواتير',
    outputVariableName: 'lines',
    tool: {
      ...REFUND,
      method: 'PATCH',
      url: LONG,
      query: [
        { name: 'page[size]', value: '{{counts}}' },
        { name: 'ملاحظة', value: 'فاتورة الرصيف الشمالي {{counts}}' },
      ],
      headers: [
        { name: 'Authorization', value: 'Bearer $<a_key_whose_name_is_as_long_as_it_may_be_for_us>' },
        { name: 'X-Request-Reason-As-Our-Auditors-Want-It', value: `${'Wet'.repeat(40)} {{digest}}` },
      ],
      body: { type: 'text', content: 'فاتورة الرصيف الشمالي:\n\n{{digest}}' },
      answer: { as: 'text' },
      safeToRepeat: true,
    },
    forEach: { list: 'digest', as: 'invoice', max: 50, atOnce: 3, onFailure: 'leave_out', result: 'text' },
  },
] as const

const SEALED: HttpTool = {
  ...REFUND,
  url: 'https://shop.example.org/v1/orders/{{counts}}/refunds',
  body: { type: 'json', content: '{"amount": {{counts}}}' },
  headers: [{ name: 'Authorization', sealed: true }],
}

/** A step that somebody else changed since the owner allowed what goes out with their credential. */
export const sealedStep = {
  title: 'Book the refund',
  outputVariableName: 'refund',
  tool: {
    ...SEALED,
    headers: [{ name: 'Authorization', sealed: true, value: 'Bearer sk_live_51H' }],
  },
}

export const resting = together(
  changes<SealedStep>(/\/sealed$/, (stored) => ({
    ...stored,
    rests: true,
    allowed: {
      tool: { ...SEALED, url: 'https://shop.example.org/v1/orders/{{counts}}/refunds/drafts', query: [] },
      forEach: null,
    },
  })),
)

const send = { chainId: 12, kind: 'http', isConfirmed: true }

/** Where the private values of a run would go. */
export const toolSends = [
  {
    ...send,
    ...{ destination: 'a', position: 1, title: 'Book the refund', method: 'POST', address: REFUND.url },
    headers: ['Authorization'],
  },
  {
    ...{ chainId: 12, kind: 'ask', groups: [], role: null, isConfirmed: true, people: ['ana'] },
    ...{ destination: 'b', position: 2, title: 'Ana approves' },
  },
  {
    ...send,
    ...{ destination: 'c', position: 3, title: 'أرسل كل سطر من الفاتورة', method: 'PATCH', address: LONG },
    ...{ headers: ['Authorization', 'X-Request-Reason-As-Our-Auditors-Want-It'], isConfirmed: false },
  },
  {
    ...send,
    ...{ destination: 'd', position: 4, title: 'Find the parcel', method: 'GET', headers: [] },
    address: 'http://parcels.internal:8080/v2/{{refund.refund_id}}',
  },
  {
    ...{
      chainId: 12,
      kind: 'mail',
      isConfirmed: false,
      destination: 'e',
      position: 5,
      title: 'Tell the team',
    },
    to: ['team@example.org', 'a-person-with-a-name-as-long-as-its-pier@harbour-authority.example.org'],
  },
]
