import { expect, test } from 'vitest'
import { checkAnswer } from './check-answer.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    severity: { type: 'string', enum: ['high', 'low'] },
    refund: { type: 'number', minimum: 0 },
    reply_by: { type: 'string', format: 'date' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    },
  },
  required: ['severity', 'refund', 'items'],
}
const GOOD = { severity: 'high', refund: 49.9, items: [{ title: 'x' }] }
const errorsOf = (value: unknown) =>
  checkAnswer({ schema: SCHEMA, text: JSON.stringify(value) }).errors.map(({ path, message }) => [
    path,
    message,
  ])

test('an answer that matches is kept as the model wrote it', () => {
  const text = ` ${JSON.stringify(GOOD, null, 3)}\n`
  expect(checkAnswer({ schema: SCHEMA, text })).toEqual({ text, errors: [], repairs: [] })
  expect(errorsOf({ ...GOOD, reply_by: null })).toEqual([])
})

test.each([
  [{ ...GOOD, refund: '49,90 €' }, 'refund', 'refund is “49,90 €”, not a number'],
  [{ ...GOOD, refund: -1 }, 'refund', 'refund is -1, below 0'],
  [{ ...GOOD, reply_by: 'soon' }, 'reply_by', 'reply_by is not a date: “soon”'],
  [{ ...GOOD, severity: 'urgent' }, 'severity', 'severity is “urgent”, not one of high, low'],
  [{ ...GOOD, items: [{ title: 'x' }, {}] }, 'items[1].title', 'items[1].title is missing'],
  [{ ...GOOD, more: 1 }, 'more', 'more is not a field of the schema'],
  [{ ...GOOD, items: 'x' }, 'items', 'items is “x”, not a list'],
  [[], '', 'The answer is a list, not a group of fields'],
])('%j: the field and why', (value, path, message) => {
  expect(errorsOf(value)).toEqual([[path, message]])
})

const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')

test('a field may be called as what every JavaScript object inherits, at every depth: left out it is not there', () => {
  expect(INHERITED).toContain('constructor')
  const fields = Object.fromEntries(INHERITED.map((name) => [name, { type: 'string' }]))
  const part = (required: readonly string[]) => ({ type: 'object', properties: fields, required })
  const schema = (required: readonly string[]) => ({
    type: 'object',
    properties: { ...fields, group: part(required), list: { type: 'array', items: part(required) } },
    required: ['group', 'list', ...required],
  })
  const check = (required: readonly string[], value: object) =>
    checkAnswer({ schema: schema(required), text: JSON.stringify(value) }).errors.map(({ path }) => path)
  expect(check([], { group: {}, list: [{}] })).toEqual([])
  for (const name of INHERITED) {
    const whole = Object.fromEntries([[name, 'x']])
    expect(check([name], { ...whole, group: whole, list: [whole] })).toEqual([])
    expect(new Set(check([name], { group: {}, list: [{}] }))).toEqual(
      new Set([name, `group.${name}`, `list[0].${name}`]),
    )
  }
})

test('JSON by a schema is taken out of a fence, or of the words around it.', () => {
  for (const text of ['', 'Sure!', '{"severity": "hi', 'Either {} or {}', '{'.repeat(1_000_000)])
    expect(checkAnswer({ schema: SCHEMA, text }).errors).toEqual([
      { path: '', message: 'The answer is not JSON' },
    ])
  const inner = JSON.stringify(GOOD)
  for (const text of [`Here it is: ${inner}. Is {that} all?`, `Sure!\n\`\`\`json\n${inner}\n\`\`\`\nDone.`])
    expect(checkAnswer({ schema: SCHEMA, text })).toMatchObject({ text: inner, errors: [] })
  expect(checkAnswer({ schema: SCHEMA, text: `\`\`\`json\n${inner}\n\`\`\`` })).toMatchObject({
    text: inner,
    errors: [],
  })
})

test('A run says which fields a repair changed, and what stood there.', () => {
  const before = JSON.stringify({
    ...GOOD,
    refund: '49,90 €',
    items: [{ title: 'x' }, {}],
    more: 'y'.repeat(300),
  })
  const { repairs } = checkAnswer({
    schema: SCHEMA,
    text: JSON.stringify({ ...GOOD, reply_by: '2026-11-23' }),
    before,
  })
  expect(repairs).toEqual([
    { path: 'refund', before: '49,90 €' },
    { path: 'items[1]', before: '{}' },
    { path: 'more', before: `${'y'.repeat(200)}…` },
    { path: 'reply_by', before: null },
  ])
})

test('at most twenty errors are told', () => {
  const items = Array.from({ length: 50 }, () => ({ title: 1 }))
  expect(errorsOf({ ...GOOD, items })).toHaveLength(20)
})

test('a caller’s own schema is checked too', () => {
  const callerSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { refund: { maximum: 10 } },
  }
  const { errors, isCallers } = checkAnswer({ schema: SCHEMA, callerSchema, text: JSON.stringify(GOOD) })
  expect(isCallers).toBe(true)
  expect(errors).toEqual([{ path: 'refund', message: 'refund is 49.9, above 10' }])
})
