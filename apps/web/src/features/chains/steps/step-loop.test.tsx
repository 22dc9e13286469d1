import type { Chain, ChainStep, ForEach } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => {
  localStorage.clear()
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ticket = { type: 'object', properties: { title: { type: 'string' }, urgent: { type: 'boolean' } } }
const schema = {
  type: 'object',
  properties: { severity: { type: 'string' }, items: { type: 'array', items: ticket } },
}
const triage = makeStep({ id: 1, outputVariableName: 'triage', output: { type: 'json', schema } })
const answer = makeStep({
  id: 2,
  title: 'Answer',
  outputVariableName: 'answers',
  content: 'Answer {{triage}}.',
})
const last = makeStep({ id: 3, outputVariableName: 'letter', content: '{{answers}}' })
const each: ForEach = {
  list: 'triage.items',
  as: 'item',
  max: 50,
  atOnce: 3,
  onFailure: 'stop',
  result: 'text',
}

const region = makeVariable({ name: 'region' })
const stub = (answers: Parameters<typeof stubChainApi>[0] = {}) =>
  stubChainApi({
    'GET /api/variables': () => Response.json([region]),
    'PATCH /api/chains/12/steps/2': () => Response.json(answer),
    ...answers,
  })

async function openStep(step: ChainStep = answer) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, [region])
  const chain: Chain = makeChain({ steps: [triage, step, last] })
  show(<StepDialog chain={chain} step={step} userId={1} onClose={() => undefined} />, queryClient)
  await screen.findByRole('dialog')
  await waitFor(() => expect(screen.getAllByRole('textbox').length).toBeGreaterThan(1))
  return within(screen.getByRole('dialog'))
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('A step runs once or for each item of a list, whose name is completed, by keys alone.', async () => {
  const sent = stub()
  const dialog = await openStep()
  dialog.getByRole('button', { name: 'How often it runs: once' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(dialog.queryByRole('combobox', { name: 'List' })).toBeNull()
  dialog.getByRole('radio', { name: 'For each item' }).focus()
  await userEvent.keyboard(' ')
  const list = dialog.getByRole('combobox', { name: 'List' })
  list.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(options().slice(0, 2)).toEqual(['triage.itemslist of groups', 'triagestep 1 · Step 1'])
  await userEvent.keyboard('{Enter}')
  expect(list).toHaveProperty('value', 'triage.items')
  expect(
    dialog.getByRole('button', { name: 'How often it runs: for each item of triage.items, up to 50' }),
  ).toBeTruthy()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({ forEach: each })
})

test('How many items, how many at once, what is done about one that fails and how their results are combined is said where a list is gone through.', async () => {
  const sent = stub()
  const dialog = await openStep({ ...answer, forEach: each })
  const write = async (label: string, text: string) => {
    await userEvent.clear(dialog.getByLabelText(label))
    await userEvent.type(dialog.getByLabelText(label), text)
  }
  await write('Item name', 'ticket')
  await write('Maximum items', '201')
  await write('Items at once', '4')
  await userEvent.click(dialog.getByRole('radio', { name: 'It is left out' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'JSON list' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText('A whole number from 1 to 200')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Maximum items')))
  expect(writesOf(sent)).toEqual([])
  await write('Maximum items', '200')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({
    forEach: {
      list: 'triage.items',
      as: 'ticket',
      max: 200,
      atOnce: 4,
      onFailure: 'leave_out',
      result: 'json',
    },
  })
})

test('The texts and the condition of such a step may name the item, its fields and its number.', async () => {
  stub()
  const dialog = await openStep({ ...answer, forEach: each, content: 'Answer {{item.title}}, {{index}}.' })
  const content = dialog.getByRole('textbox', { name: 'Content' })
  await waitFor(() =>
    expect([...content.querySelectorAll('[class*="output"]')].map(({ textContent }) => textContent)).toEqual([
      '{{item.title}}',
      '{{index}}',
    ]),
  )
  expect(EditorView.findFromDOM(content)).toBeTruthy()
  expect(screen.queryByText(/No step produces/)).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'When it runs: always' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Only if' }))
  const name = dialog.getByRole('combobox', { name: 'Name in condition 1' })
  await userEvent.type(name, 'item.')
  expect(options()).toEqual(['item.titletext', 'item.urgentyes or no'])
})

test('An item’s name that the server refuses is named at its field, and a list that is missing before.', async () => {
  const sent = stub({
    'PATCH /api/chains/12/steps/2': () =>
      Response.json(
        {
          error: 'Invalid',
          details: [{ path: 'forEach.as', message: 'An earlier step already has the output triage' }],
        },
        { status: 400 },
      ),
  })
  const dialog = await openStep({ ...answer, forEach: { ...each, as: 'triage' } })
  const list = dialog.getByRole('combobox', { name: 'List' })
  await userEvent.clear(list)
  await userEvent.type(dialog.getByLabelText('Items at once'), '0')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(list.getAttribute('aria-invalid')).toBe('true'))
  await waitFor(() => expect(document.activeElement).toBe(list))
  expect(dialog.getByText('Choose a list')).toBeTruthy()
  expect(writesOf(sent)).toEqual([])
  await userEvent.type(list, '{{{{triage.items}}')
  await userEvent.type(dialog.getByLabelText('Items at once'), '{Backspace}')
  expect(list).toHaveProperty('value', 'triage.items')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText('An earlier step already has the output triage')).toBeTruthy()
})

test('A step that runs once again leaves its list out, and one that always did is saved as before there were any.', async () => {
  const sent = stub()
  const dialog = await openStep({ ...answer, forEach: each })
  await userEvent.click(dialog.getByRole('radio', { name: 'Once' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({ forEach: null })
  cleanup()
  const plain = await openStep()
  await userEvent.type(plain.getByLabelText('Title'), '!')
  await userEvent.click(plain.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(writesOf(sent)).toHaveLength(2))
  expect(writesOf(sent)[1]?.body).not.toHaveProperty('forEach')
})
