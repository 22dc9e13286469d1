import type { Page } from 'playwright-core'
import { streams } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, press, type Step, seen } from './steps.ts'

const text = { type: 'string' }
const group = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const TICKET = group(
  {
    severity: { ...text, enum: ['high', 'mid', 'low'], description: 'how many people can’t work' },
    summary: { ...text, description: 'at most 20 words, names the customer' },
    items: { type: 'array', items: text, description: 'what to do, one verb each' },
    refund: { type: 'number', description: 'in euro, 0 when none is due' },
    reply_by: { ...text, format: 'date' },
  },
  ['severity', 'summary', 'items', 'refund'],
)
const NESTED = group({
  the_customer_who_wrote_this_ticket_and_waits_for_an_answer_to_it: group({
    name: text,
    contract: group({ number: text, is_paid: { type: 'boolean' } }),
  }),
  parts: { type: 'array', items: group({ code: text, price: { type: 'number' } }) },
})
const MANY = group(Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`field_${index + 1}`, text])))
const BOUNDED = { ...TICKET, properties: { ...TICKET.properties, code: { ...text, pattern: '^[A-Z]{3}$' } } }

/** Writes the schema as JSON; where fields can say it, it is shown as fields again. */
const withSchema = (schema: object | string) => async (page: Page) => {
  await page.getByRole('button', { name: /^Model and output/ }).click()
  await page.getByRole('radio', { name: 'JSON by schema' }).click()
  const asJson = page.getByRole('switch', { name: 'Edit as JSON' })
  await asJson.click()
  const written = typeof schema === 'string' ? schema : JSON.stringify(schema, null, 2)
  await page.getByRole('textbox', { name: 'JSON schema' }).fill(written)
  if (await asJson.isEnabled()) await asJson.click()
  await page.getByRole('region', { name: 'Output' }).scrollIntoViewIfNeeded()
}

const nameTwice: Step = (page) => page.getByRole('textbox', { name: 'Name of field 2' }).fill('severity')

interface Answered {
  result: string
  structured: object
}

/** A run that ends with this answer. */
const answered = (answer: Answered) =>
  streams('/api/execute-prompt', [
    { event: 'start', data: { executionId: 1, price: null } },
    { event: 'delta', data: { text: answer.result } },
    {
      event: 'done',
      data: {
        executionId: 1,
        model: 'claude',
        modelId: 'claude-sonnet-5-5',
        provider: 'anthropic',
        finishReason: 'stop',
        inputTokens: 5_224,
        outputTokens: 254,
        cachedTokens: 4_075,
        costUsd: 0.0085,
        savedUsd: 0.011,
        durationMs: 2_400,
        ...answer,
      },
    },
  ])

const VALID = { isValid: true, isRepaired: false, errors: [], repairs: [] }
const ANSWER = {
  severity: 'high',
  summary: 'Halden Marine can’t sign in since Friday’s release; the form answers 500.',
  items: [
    'Roll Friday’s release back',
    'Tell the three customers who wrote',
    'Add the sign-in form to the smoke test',
  ],
  refund: 49.9,
  reply_by: '2026-11-23',
}
const PARTS = {
  order: { number: '2026-1187', is_paid: true, note: null },
  parts: Array.from({ length: 130 }, (_, index) => ({
    code: `HM-${1_000 + index}`,
    name:
      index % 7 === 3
        ? 'A hinge for the port-side hatch, stainless, with its long pin and two washers'
        : 'Hinge',
    price: 4 + index / 2,
  })),
  tags: [],
}

/** Runs, and waits for the answer as it is read apart from the page. */
const run = (shown: string | RegExp) => inTurn(press(/^Execute(?! with AI)/), seen('Done'), seen(shown))

/** The form of an answer: its schema in the forms of prompts and steps, and an answer that keeps to it. */
export const outputStates: readonly State[] = [
  { name: 'output-fields', who: 'user', path: '/edit/new', prepare: withSchema(TICKET) },
  { name: 'output-dialog', who: 'user', path: '/?prompt=new', prepare: withSchema(TICKET) },
  { name: 'output-nested', who: 'user', path: '/edit/new', prepare: withSchema(NESTED) },
  { name: 'output-many', who: 'user', path: '/edit/new', prepare: withSchema(MANY) },
  {
    name: 'output-errors',
    who: 'user',
    path: '/edit/new',
    prepare: inTurn(withSchema(TICKET), nameTwice, press('Create Prompt')),
  },
  { name: 'output-json', who: 'user', path: '/edit/new', prepare: withSchema(BOUNDED) },
  {
    name: 'output-json-errors',
    who: 'user',
    path: '/edit/new',
    prepare: withSchema('{\n  "type": "object"\n  "properties": {}\n}'),
  },
  {
    name: 'output-type',
    who: 'user',
    // In a dialog, as every open select of the catalogue: axe takes what a list hides on a page to be in reach.
    path: '/?prompt=new',
    prepare: withSchema(TICKET),
    opener: (page) => page.getByRole('combobox', { name: 'Type of field 2' }),
  },
  {
    name: 'output-field-menu',
    who: 'user',
    path: '/edit/new',
    prepare: withSchema(TICKET),
    opener: button('Move field 2, summary'),
  },
  {
    name: 'answer-json',
    who: 'user',
    path: '/execute/:own',
    network: answered({
      result: JSON.stringify(ANSWER),
      structured: {
        ...VALID,
        isRepaired: true,
        errors: [{ path: 'refund', message: 'must be a number' }],
        repairs: [{ path: 'refund', before: '49,90 €' }],
      },
    }),
    prepare: run('severity'),
  },
  {
    name: 'answer-json-table',
    who: 'user',
    path: '/execute/:own',
    network: answered({ result: JSON.stringify(PARTS), structured: VALID }),
    prepare: run('HM-1000'),
  },
  {
    name: 'answer-json-invalid',
    who: 'user',
    path: '/execute/:own',
    network: answered({
      result: JSON.stringify({ ...ANSWER, reply_by: 'soon' }),
      structured: {
        ...VALID,
        isValid: false,
        errors: [
          { path: 'reply_by', message: 'must be a date such as 2026-11-23, not “soon”' },
          { path: '', message: 'has the field “mood”, which the schema doesn’t name' },
        ],
      },
    }),
    prepare: run('severity'),
  },
  {
    name: 'answer-json-cut',
    who: 'user',
    path: '/execute/:own',
    network: answered({
      result: JSON.stringify(ANSWER, null, 2).slice(0, 180),
      structured: {
        ...VALID,
        isValid: false,
        errors: [{ path: '', message: 'The answer is not JSON: it was cut off' }],
      },
    }),
    prepare: run(/^Not valid JSON, so it is shown as received/),
  },
]
