import type { Chain, ChainStep } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
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

const draft = makeStep({ id: 1, outputVariableName: 'draft' })
const asking = makeStep({
  id: 2,
  kind: 'ask',
  title: 'Approve it',
  model: null,
  content: '',
  outputVariableName: 'approved',
  ask: {
    question: 'May this be sent?',
    text: '{{draft}}',
    editable: true,
    people: ['ada'],
    groups: [],
    notTheRunner: false,
    choices: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', ends: 'failed' },
    ],
    deadlineMinutes: 120,
    onDeadline: 'reject',
  },
})

const stub = (answers: Parameters<typeof stubChainApi>[0] = {}) =>
  stubChainApi({
    'GET /api/groups': () => Response.json([]),
    'GET /api/users/search?name=be': () => Response.json([{ id: 7, username: 'ben' }]),
    ...answers,
  })

async function openStep(step: ChainStep | null, steps: ChainStep[] = [draft]) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, [])
  const chain: Chain = makeChain({ owner: 'ada', sharedLevel: 'private', steps })
  show(<StepDialog chain={chain} step={step} userId={1} onClose={() => undefined} />, queryClient)
  await screen.findByRole('dialog')
  await waitFor(() => expect(screen.getAllByRole('textbox').length).toBeGreaterThan(1))
  return within(screen.getByRole('dialog'))
}

test('A step that asks is made by keys alone: a question, who may answer, the choices, and what holds without an answer.', async () => {
  const sent = stub({ 'POST /api/chains/12/steps': () => Response.json(asking, { status: 201 }) })
  const dialog = await openStep(null)
  dialog.getByRole('radio', { name: /^Ask/ }).focus()
  await userEvent.keyboard(' ')
  await userEvent.type(dialog.getByLabelText('Title'), 'Approve it')
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'approved')
  await userEvent.type(dialog.getByLabelText('Question'), 'May this be sent?')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await dialog.findByText('Choose who may answer')).toBeTruthy()
  await userEvent.type(dialog.getByPlaceholderText('Username or group'), 'be')
  await screen.findByRole('option', { name: 'ben' })
  await userEvent.keyboard('{Enter}')
  expect(await dialog.findByText('Nobody could answer: ben can’t see this chain.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Add choice' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Choice 3'))
  await userEvent.keyboard('Ask me later')
  await userEvent.clear(dialog.getByLabelText('Time to answer'))
  await userEvent.type(dialog.getByLabelText('Time to answer'), '3')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toEqual({
    kind: 'ask',
    title: 'Approve it',
    outputVariableName: 'approved',
    position: 1,
    model: null,
    ask: {
      question: 'May this be sent?',
      text: '',
      editable: false,
      people: ['ben'],
      groups: [],
      notTheRunner: false,
      choices: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject', ends: 'failed' },
        { id: 'ask_me_later', label: 'Ask me later' },
      ],
      deadlineMinutes: 4_320,
      onDeadline: 'reject',
    },
  })
})

test('A step that asks is saved as it was but for what is changed, and one that asks nobody is refused.', async () => {
  const sent = stub({ 'PATCH /api/chains/12/steps/2': () => Response.json(asking) })
  const dialog = await openStep(asking, [draft, asking])
  await userEvent.click(dialog.getByRole('button', { name: 'Remove ada' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText('Choose who may answer')).toBeTruthy()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Who may answer by role' }))
  await userEvent.click(await screen.findByRole('option', { name: 'The chain’s owner' }))
  await userEvent.click(dialog.getByRole('switch', { name: 'Not the person who runs it' }))
  expect(await dialog.findByText('Nobody could answer in runs that ada starts.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  const { ask } = asking
  expect(writesOf(sent)[0]?.body).toMatchObject({
    kind: 'ask',
    ask: { ...ask, people: [], role: 'owner', notTheRunner: true },
  })
})

test('Later steps are offered what an answer holds, and a condition the choices by name.', async () => {
  stub()
  const warn = makeStep({
    id: 3,
    outputVariableName: 'warning',
    onlyIf: { all: [{ ref: 'approved.decision', op: 'is', value: 'approve' }] },
  })
  await openStep(warn, [draft, asking, warn])
  const name = screen.getByRole('combobox', { name: 'Name in condition 1' })
  await userEvent.clear(name)
  await userEvent.type(name, 'approved')
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  expect(options()).toEqual([
    'approvedstep 2 · Approve it',
    'approved.decisiontext',
    'approved.texttext',
    'approved.reasontext',
    'approved.bytext',
    'approved.attext',
  ])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  const value = screen.getByRole('combobox', { name: 'Value in condition 1' })
  await userEvent.clear(value)
  await userEvent.keyboard('{ArrowDown}')
  expect(options()).toEqual(['approve', 'reject'])
})
