import type { Chain, ChainStep } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import { makeToolStep } from '../testing/make-tool-step.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => {
  localStorage.clear()
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  // What jsdom lacks of a text that an editor measures.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const triage = makeStep({ id: 1, outputVariableName: 'triage' })
const refund = makeToolStep()

async function openStep(step: ChainStep | null, steps: ChainStep[] = [triage]) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(allVariablesQuery.queryKey, [makeVariable({ name: 'shop_key' })])
  const chain: Chain = makeChain({ owner: 'ada', sharedLevel: 'private', steps })
  show(<StepDialog chain={chain} step={step} userId={1} onClose={() => undefined} />, queryClient)
  await screen.findByRole('dialog')
  return within(screen.getByRole('dialog'))
}

/** In jsdom an editor takes no keys, but a paste. */
async function write(name: string, text: string) {
  const editor = await screen.findByRole('textbox', { name })
  await userEvent.click(editor)
  await userEvent.paste(text)
}

test('A step that calls a service is refused at the fields at fault, and none of what was written is lost.', async () => {
  const sent = stubChainApi({
    'POST /api/chains/12/steps': [
      () =>
        Response.json(
          {
            error: 'Check the fields',
            details: [{ path: 'tool.headers.0.name', message: 'This header is written by the program' }],
          },
          { status: 400 },
        ),
      () => Response.json(refund, { status: 201 }),
    ],
  })
  const dialog = await openStep(null)
  await userEvent.click(dialog.getByRole('radio', { name: /^Tool/ }))
  await userEvent.type(dialog.getByLabelText('Title'), 'Book the refund')
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'refund')
  expect(dialog.queryByLabelText('Name of header 1')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Add header' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Name of header 1'))
  await userEvent.keyboard('Host')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await dialog.findByText('Write the address')).toBeTruthy()
  expect(dialog.getByText('Write what is sent, or choose None')).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: 'None' }))
  await write('Address', 'https://shop.example.org/v1/refunds')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await dialog.findByText('This server sets that header itself')).toBeTruthy()
  const name = dialog.getByLabelText('Name of header 1')
  await userEvent.clear(name)
  await userEvent.type(name, 'X-Old')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await dialog.findByText('This header is written by the program')).toBeTruthy()
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await userEvent.clear(name)
  await userEvent.type(name, 'X-Team')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toEqual({
    kind: 'tool',
    title: 'Book the refund',
    outputVariableName: 'refund',
    position: 1,
    model: null,
    tool: {
      type: 'http',
      method: 'POST',
      url: 'https://shop.example.org/v1/refunds',
      query: [],
      headers: [{ name: 'X-Team', value: '' }],
      body: { type: 'none', content: '' },
      answer: { as: 'text' },
      safeToRepeat: false,
    },
  })
})

test('A step that calls a service is saved as it was but for what is changed.', async () => {
  const sent = stubChainApi({ 'PATCH /api/chains/12/steps/2': () => Response.json(refund) })
  const dialog = await openStep(refund, [triage, refund])
  await userEvent.click(dialog.getByRole('button', { name: 'Remove header 2' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Name of header 1'))
  await userEvent.click(dialog.getByRole('switch', { name: 'Safe to repeat' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent)[0]?.body).toMatchObject({
    kind: 'tool',
    tool: {
      ...refund.tool,
      headers: [{ name: 'Authorization', value: 'Bearer $<shop_key>' }],
      safeToRepeat: false,
    },
  })
})

test('The body is written for methods that have one, and each kind of it says how.', async () => {
  stubChainApi({})
  const dialog = await openStep(refund, [triage, refund])
  expect(await dialog.findByRole('textbox', { name: 'Body' })).toBeTruthy()
  expect(dialog.getByText(/^A reference alone is a value/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: 'Form' }))
  expect(dialog.getByText('A line for each field, as name=value.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Method' }))
  await userEvent.click(await screen.findByRole('option', { name: 'GET' }))
  await waitFor(() => expect(dialog.queryByRole('region', { name: 'Body' })).toBeNull())
})

test('Later steps are offered the fields of a service’s answer.', async () => {
  stubChainApi({})
  const answer = makeStep({
    id: 3,
    outputVariableName: 'mail',
    onlyIf: { all: [{ ref: 'refund.state', op: 'is', value: 'booked' }] },
  })
  await openStep(answer, [triage, refund, answer])
  const name = screen.getByRole('combobox', { name: 'Name in condition 1' })
  await userEvent.clear(name)
  await userEvent.type(name, 'refund')
  expect(screen.queryAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'refundstep 2 · Book the refund',
    'refund.idtext',
    'refund.statetext',
  ])
})

const MAIL_STATE = { isSetUp: true, recipients: 'any', domains: [], ownAddress: '', ownAddressState: null }

test('A step that sends an email is made by its addresses, subject and text, and refused at the fields at fault.', async () => {
  const sent = stubChainApi({
    'GET /api/mail': () => Response.json(MAIL_STATE),
    'POST /api/chains/12/steps': () => Response.json(refund, { status: 201 }),
  })
  const dialog = await openStep(null)
  await userEvent.click(dialog.getByRole('radio', { name: /^Tool/ }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Send an email' }))
  expect(dialog.queryByLabelText('Method')).toBeNull()
  expect(dialog.queryByText('Safe to repeat')).toBeNull()
  await userEvent.type(dialog.getByLabelText('Title'), 'Tell the team')
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'told')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  for (const text of ['Write whom the email goes to', 'Write the subject', 'Write the text'])
    expect(await dialog.findByText(text)).toBeTruthy()
  await write('To', 'ana@example.org, {{triage}}')
  await write('Subject', 'About {{triage}}')
  await write('Text', 'It is **done**.')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toEqual({
    kind: 'tool',
    title: 'Tell the team',
    outputVariableName: 'told',
    position: 1,
    model: null,
    tool: {
      type: 'mail',
      to: ['ana@example.org', '{{triage}}'],
      subject: 'About {{triage}}',
      text: 'It is **done**.',
    },
  })
})

test('Where no mail is set up, the form of a step that sends an email says so.', async () => {
  stubChainApi({ 'GET /api/mail': () => Response.json({ ...MAIL_STATE, isSetUp: false }) })
  const dialog = await openStep(null)
  await userEvent.click(dialog.getByRole('radio', { name: /^Tool/ }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Send an email' }))
  expect(await dialog.findByText(/^Mail is not set up on this server/)).toBeTruthy()
})

test('A new call begins as a known service takes it, to be read and changed.', async () => {
  const sent = stubChainApi({
    'POST /api/chains/12/steps': () => Response.json(refund, { status: 201 }),
  })
  const dialog = await openStep(null)
  await userEvent.click(dialog.getByRole('radio', { name: /^Tool/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'GitHub issue' }))
  expect(dialog.getByText(/^Write owner and repository into the address/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Slack' }))
  expect(dialog.getByRole('button', { name: 'Slack', pressed: true })).toBeTruthy()
  expect(dialog.queryByLabelText('Name of header 1')).toBeNull()
  // Whoever has the address may post.
  await userEvent.type(dialog.getByLabelText('Address'), 'https://hooks.slack.com/services/T0/B0/x')
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'posted')
  await userEvent.click(dialog.getByRole('button', { name: /^Add Step/ }))
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent).at(-1)?.body).toMatchObject({
    title: 'Slack',
    tool: {
      url: { sealed: true, value: 'https://hooks.slack.com/services/T0/B0/x' },
      headers: [],
      body: { type: 'json', content: '{\n  "text": "{{input}}"\n}' },
      answer: { as: 'text' },
    },
  })
})

test('A step that is there starts from no other service.', async () => {
  stubChainApi({})
  const dialog = await openStep(refund, [triage, refund])
  expect(await dialog.findByRole('textbox', { name: 'Body' })).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Slack' })).toBeNull()
})

test('Who may not save calls of services can’t choose the kind, and reads why.', async () => {
  stubChainApi({ 'GET /api/tool-steps': () => Response.json({ maySave: false }) })
  const dialog = await openStep(null)
  expect(await dialog.findByText(/^Only administrators may add steps that call services/)).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('radio', { name: /^Tool/ }).disabled).toBe(true)
})
