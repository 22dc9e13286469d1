import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
import { makeToolStep } from './testing/make-tool-step.ts'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  sessionStorage.clear()
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const steps = [
  makeStep({ id: 1, title: 'Triage', outputVariableName: 'triage' }),
  makeToolStep(),
  makeStep({ id: 3, title: 'Answer', outputVariableName: 'mail', content: 'Refund {{refund.id}}' }),
]
const made = makeRunStep({ title: 'Triage', outputVariableName: 'triage', aiResponse: 'order-7' })
const sentText = 'POST https://shop.example.org/v1/orders/order-7/refunds?lang=de\nX-Team: support'
const called = {
  ...{ id: 2, position: 1, title: 'Book the refund', outputVariableName: 'refund' },
  ...{ model: null, modelId: null, provider: null, inputContent: sentText },
  inputSegments: [{ start: 40, end: 47, kind: 'output' as const, name: 'triage' }],
}
const left = makeRunStep({
  id: 3,
  position: 2,
  status: 'waiting',
  title: 'Answer',
  outputVariableName: 'mail',
})

function showPage(answers: Parameters<typeof stubChainApi>[0] = {}, chain = makeChain({ steps })) {
  const sent = stubChainApi({ 'GET /api/chains/12': () => Response.json(chain), ...answers })
  show(
    <ChainLoader
      id={12}
      render={(chain) => (
        <ChainPage
          chain={chain}
          renderApiAccess={() => null}
          onDeleted={() => undefined}
          onDuplicated={() => undefined}
        />
      )}
    />,
  )
  return sent
}

const failed = (error: string, errorCode: string) => {
  const step = makeRunStep({ ...called, status: 'failed', error, errorCode, aiResponse: null })
  const state = makeRunState('failed', 'completed', 'failed', 'waiting')
  return {
    'GET /api/executions/218': () =>
      Response.json(makeRun({ status: 'failed', error, canResume: true, steps: [made, step, left] })),
    'GET /api/executions/218/status': () =>
      Response.json({
        ...state,
        error,
        steps: state.steps.map((one) => (one.position === 1 ? { ...one, error } : one)),
      }),
  }
}

const card = (name: string) => within(screen.getByRole('article', { name }))

test('The card of a step that calls a service says how and where, with its references, and what it sends.', async () => {
  window.history.replaceState(null, '', '/chains/12')
  showPage()
  await screen.findAllByRole('article')
  const tool = card('Book the refund')
  expect(tool.getByText('HTTP')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Book the refund' }).textContent).toContain(
    'POST shop.example.org/v1/orders/{{triage}}/refunds',
  )
  expect(tool.getByText('Safe to repeat')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Book the refund' }).textContent).toContain(
    '{"note": "{{triage}}"}',
  )
})

test('Whoever may not change a step that calls a service reads all of its call.', async () => {
  window.history.replaceState(null, '', '/chains/12')
  showPage({}, makeChain({ steps, canEdit: false, canDelete: false }))
  await screen.findAllByRole('article')
  await userEvent.click(card('Book the refund').getByRole('button', { name: 'Book the refund' }))
  const dialog = within(await screen.findByRole('dialog'))
  const read = (name: string) => dialog.getByRole('region', { name }).textContent
  expect(read('Query')).toBe('Querylang: de')
  expect(read('Headers')).toBe('HeadersAuthorization: Bearer $<shop_key>\nX-Team: support')
  expect(read('Body')).toBe('Body{"note": "{{triage}}"}')
  expect(read('What comes back')).toContain('JSON by schema')
})

test('A call that the service refused is told of in its words, and resuming sends it again.', async () => {
  const error = 'The service refused the call (status 422): no such order'
  const sent = showPage({
    ...failed(error, 'tool_failed'),
    'POST /api/executions/218/resume': () => Response.json({ id: 218 }),
  })
  await screen.findAllByRole('article')
  const tool = card('Book the refund')
  expect(await tool.findByText(`${error}.`)).toBeTruthy()
  expect(tool.getByText(/Resuming sends the call again\./)).toBeTruthy()
  await userEvent.click(tool.getByRole('button', { name: 'Rendered input' }))
  const input = within(await tool.findByRole('figure', { name: 'Rendered input' }))
  expect(input.getByText('order-7').getAttribute('data-source')).toBe('output.triage')
  await userEvent.click(tool.getByRole('button', { name: 'Resume from here' }))
  await waitFor(() =>
    expect(writesOf(sent).map(({ key }) => key)).toContain('POST /api/executions/218/resume'),
  )
})

test('A resume of a run that failed as nobody knew whether its call happened says that it asks again.', async () => {
  showPage(failed('Nobody said within 30 days whether the call happened', 'tool_unsure'))
  await screen.findAllByRole('article')
  expect(
    await card('Book the refund').findByText(/Resuming asks you again whether the call happened\./),
  ).toBeTruthy()
})

test('While a step calls a service, the page says that it waits for the service.', async () => {
  const step = makeRunStep({ ...called, status: 'running', aiResponse: null })
  showPage({
    'GET /api/executions/218': () => Response.json(makeRun({ steps: [made, step, left] })),
    'GET /api/executions/218/status': () =>
      Response.json(makeRunState('running', 'completed', 'running', 'waiting')),
  })
  await screen.findAllByRole('article')
  expect(await card('Book the refund').findByText(/^Waiting for the service/)).toBeTruthy()
})

test('A run that stopped before its private values went to a service says to which, and goes on in one press.', async () => {
  const wouldLeave = ['POST https://shop.example.org/v1/refunds\nheader "X-Team": "support"']
  const found = failed('Allow it first', 'value_would_leave')
  const sent = showPage({
    ...found,
    'GET /api/executions/218': () =>
      Response.json(
        makeRun({
          ...{ status: 'failed', canResume: true, wouldLeave },
          steps: [made, makeRunStep({ ...called, status: 'failed', aiResponse: null }), left],
        }),
      ),
    'GET /api/executions/218/status': () =>
      Response.json({ ...makeRunState('failed', 'completed', 'failed', 'waiting'), wouldLeave }),
    'GET /api/chains/12/sends': () => Response.json([]),
    'POST /api/executions/218/resume': () => Response.json({ id: 218 }),
  })
  const note = within(await screen.findByRole('note', { name: 'Private values' }))
  expect(note.getByText('POST shop.example.org/v1/refunds')).toBeTruthy()
  await userEvent.click(note.getByRole('button', { name: 'Allow and resume' }))
  await waitFor(() => expect(writesOf(sent).map(({ body }) => body)).toEqual([{ sends: wouldLeave }]))
})
