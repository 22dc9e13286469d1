import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { OutputFields } from './output-fields.tsx'
import { outputForm } from './output-form.ts'
import type { OutputInput } from './output-value.ts'

afterEach(cleanup)

let latest: OutputInput

function Form({ start, error }: { start: OutputInput; error?: string }) {
  const [value, setValue] = useState(start)
  latest = value
  return <OutputFields value={value} onChange={setValue} error={error} />
}

const show = (start: OutputInput = { type: 'text' }, error?: string) =>
  render(<Form start={start} {...(error && { error })} />)

const name = (number: string) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: `Name of field ${number}` })
const asJson = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Edit as JSON' })
const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'JSON schema' })
const alerts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
const schemaNow = () => (latest.type === 'json' && 'schema' in latest ? latest.schema : undefined)
const problem = () => outputForm.safeParse(latest).error?.issues[0]?.message

async function choose(number: string, type: string) {
  screen.getByRole('combobox', { name: `Type of field ${number}` }).focus()
  await userEvent.keyboard('{Enter}')
  screen.getByRole('option', { name: type }).focus()
  await userEvent.keyboard('{Enter}')
}

const TICKET = {
  type: 'object',
  properties: {
    severity: { type: 'string', enum: ['high', 'mid'], description: 'how bad' },
    items: { type: 'array', items: { type: 'string' } },
    reply_by: { type: 'string', format: 'date' },
  },
  required: ['severity', 'items'],
  additionalProperties: false,
}

test('The answer of a prompt or a step is text, or JSON by a schema of fields, groups two deep, in an order that drag and arrow keys change.', async () => {
  show()
  await userEvent.click(screen.getByRole('radio', { name: 'JSON by schema' }))
  await userEvent.type(name('1'), 'severity')
  await choose('1', 'one of')
  await userEvent.type(screen.getByRole('textbox', { name: 'Choices of field 1' }), 'high, mid')
  await userEvent.type(screen.getByRole('textbox', { name: 'Description of field 1' }), 'how bad')
  await userEvent.click(screen.getByRole('button', { name: 'Field' }))
  expect(document.activeElement).toBe(name('2'))
  await userEvent.keyboard('items')
  await choose('2', 'list of text')
  await userEvent.click(screen.getByRole('button', { name: 'Field' }))
  await userEvent.keyboard('reply_by')
  await choose('3', 'date')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Field 3 is required' }))
  expect(screen.getByText('3 fields')).toBeTruthy()
  expect(schemaNow()).toEqual(TICKET)
  await userEvent.click(screen.getByRole('radio', { name: 'Text' }))
  expect(latest).toEqual({ type: 'text' })
  await userEvent.click(screen.getByRole('radio', { name: 'JSON by schema' }))
  expect(schemaNow()).toEqual(TICKET)
})

test('a group has fields of its own, two groups deep', async () => {
  show({ type: 'json', schema: TICKET })
  await choose('3', 'list of groups')
  await userEvent.type(name('3.1'), 'part')
  await choose('3.1', 'group')
  await userEvent.type(name('3.1.1'), 'code')
  screen.getByRole('combobox', { name: 'Type of field 3.1.1' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('option', { name: 'group' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  const group = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  expect(schemaNow()?.properties).toMatchObject({
    reply_by: { type: 'array', items: group({ part: group({ code: { type: 'string' } }) }) },
  })
})

test('What is wrong with a field of a schema is said beside it.', async () => {
  show({ type: 'json', schema: TICKET })
  await userEvent.clear(name('2'))
  await userEvent.type(name('2'), 'severity')
  expect(alerts()).toContain('Another field is already called severity')
  expect(name('2').getAttribute('aria-invalid')).toBe('true')
  expect(name('2').getAttribute('aria-describedby')).toBe(screen.getAllByRole('alert')[1]?.id)
  expect(problem()).toBe('Fix the schema’s fields')
  // Of two fields with one name JSON would lose the first.
  expect(asJson().disabled).toBe(true)
  await userEvent.clear(name('2'))
  await userEvent.click(name('1'))
  expect(screen.getByRole('alert').textContent).toBe('Give the field a name')
  await userEvent.type(name('2'), 'parts')
  await choose('2', 'one of')
  expect(screen.getByRole('alert').textContent).toBe('List the values it may have')
  await userEvent.type(screen.getByRole('textbox', { name: 'Choices of field 2' }), 'a, a')
  expect(screen.getByRole('alert').textContent).toBe('A value is listed twice')
  await userEvent.type(screen.getByRole('textbox', { name: 'Choices of field 2' }), 'b')
  expect(problem()).toBeUndefined()
})

test('a field moves by the arrow keys of its handle and by its menu, and keeps the focus', async () => {
  show({ type: 'json', schema: TICKET })
  const order = () => Object.keys((schemaNow()?.properties as object | undefined) ?? {})
  const handle = (label: string) => screen.getByRole('button', { name: `Move ${label}` })
  handle('field 1, severity').focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(order()).toEqual(['items', 'severity', 'reply_by'])
  expect(document.activeElement).toBe(handle('field 2, severity'))
  expect(
    screen.getAllByRole('status').some(({ textContent }) => textContent === 'severity is field 2 of 3.'),
  ).toBe(true)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(order()).toEqual(['items', 'reply_by', 'severity'])
  await userEvent.click(handle('field 3, severity'))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Move up' }))
  expect(order()).toEqual(['items', 'severity', 'reply_by'])
  await userEvent.click(screen.getByRole('button', { name: 'Remove field 2, severity' }))
  expect(order()).toEqual(['items', 'reply_by'])
  expect(document.activeElement).toBe(name('2'))
})

test('What is wrong with a schema in JSON is said by line and column.', async () => {
  show({ type: 'json', schema: TICKET })
  await userEvent.click(asJson())
  expect(JSON.parse(text().value)).toEqual(TICKET)
  fireEvent.change(text(), { target: { value: '{\n  "type": "object"\n  "properties": {}\n}' } })
  expect(screen.getByRole('alert').textContent).toBe('Line 3, column 3: a comma or } belongs here')
  expect(asJson().disabled).toBe(true)
  expect(problem()).toBe('Line 3, column 3: a comma or } belongs here')
  fireEvent.change(text(), { target: { value: '{"type": "object", "type": "array"}' } })
  expect(screen.getByRole('alert').textContent).toBe('“type” appears twice in the same object')
  fireEvent.change(text(), { target: { value: JSON.stringify(TICKET) } })
  await userEvent.click(asJson())
  expect(name('1').value).toBe('severity')
})

test.each([
  [{ a: { type: 'string', pattern: 'x' } }, 'a has pattern'],
  [{ a: { type: 'object', properties: { b: { type: ['number', 'null'] } } } }, 'a.b may be null'],
  [{ a: { type: 'string', enum: ['a, b'] } }, 'it can’t be shown as fields'],
  [{ 'first name': { type: 'string' } }, 'it can’t be shown as fields'],
])(
  'A schema that fields can’t say stays as JSON and says why; a pasted one replaces the fields, and can be undone. (%#)',
  (properties, reason) => {
    const schema = { ...TICKET, properties, required: [] }
    show({ type: 'json', schema })
    expect(JSON.parse(text().value)).toEqual(schema)
    expect(screen.getByText(`Stays as JSON: ${reason}.`)).toBeTruthy()
    expect(asJson().disabled).toBe(true)
    expect(problem()).toBeUndefined()
  },
)

test('What a vendor is not told of a schema is said.', () => {
  show({
    type: 'json',
    schema: { ...TICKET, properties: { a: { type: 'string', pattern: 'x' } }, required: [] },
  })
  expect(
    screen.getByText('a: Gemini is told about pattern in words only; the answer is checked for it.'),
  ).toBeTruthy()
  fireEvent.change(text(), {
    target: { value: JSON.stringify({ ...TICKET, properties: { a: { anyOf: [] } }, required: ['b'] }) },
  })
  expect(screen.getByRole('alert').textContent).toBe('required lists b, which is not a field')
  expect(screen.getByText('a: anyOf is not supported. Give it one type')).toBeTruthy()
  expect(problem()).toBe('required lists b, which is not a field')
})

test('a pasted schema takes the place of the fields, out of what a request wraps around it, and can be undone', async () => {
  show({ type: 'json', schema: TICKET })
  const pasted = { ...TICKET, properties: { total: { type: 'number' } }, required: ['total'] }
  await userEvent.click(name('1'))
  await userEvent.paste(JSON.stringify({ name: 'bill', strict: true, schema: pasted }))
  expect(schemaNow()).toEqual(pasted)
  expect(name('1').value).toBe('total')
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(schemaNow()).toEqual(TICKET)
  await userEvent.click(name('1'))
  await userEvent.paste('plain words')
  expect(name('1').value).toBe('severityplain words')
})

test('before a save nothing is missing from a new field; after one it is said', () => {
  const { unmount } = show({ type: 'json', unfinished: '' })
  expect(screen.getByRole('alert').textContent).toBe('The schema is empty')
  unmount()
  const row = {
    id: 'a',
    name: '',
    type: 'text',
    isList: false,
    description: '',
    isRequired: true,
    choices: '',
    rows: [],
  } as const
  show({ type: 'json', unfinished: [{ ...row, rows: [] }] })
  expect(screen.queryByRole('alert')).toBeNull()
  cleanup()
  show({ type: 'json', unfinished: [{ ...row, rows: [] }] }, 'Fix the schema’s fields')
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Give the field a name',
    'Fix the schema’s fields',
  ])
})

test('a value that changes elsewhere is shown', () => {
  const onChange = () => undefined
  const { rerender } = render(<OutputFields value={{ type: 'json', schema: TICKET }} onChange={onChange} />)
  const theirs = { ...TICKET, properties: { total: { type: 'number' } }, required: [] }
  rerender(<OutputFields value={{ type: 'json', schema: theirs }} onChange={onChange} />)
  expect(
    within(screen.getByRole('list', { name: 'Fields of the answer' })).getAllByRole('listitem'),
  ).toHaveLength(1)
  expect(name('1').value).toBe('total')
})
