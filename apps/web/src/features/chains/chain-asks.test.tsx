import type { Ask, RunState, WaitingFor } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { makeAsk } from '../asks/testing/make-ask.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
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

const { question, text, choices, onDeadline, since, deadline } = makeAsk()
const steps = [
  makeStep({ id: 1, title: 'Write', outputVariableName: 'answer' }),
  makeStep({
    id: 2,
    kind: 'ask',
    title: 'Approve it',
    content: '',
    model: null,
    outputVariableName: 'approved',
    ask: {
      question,
      text: '{{answer}}',
      editable: true,
      people: ['ada'],
      groups: ['Support leads'],
      notTheRunner: false,
      choices,
      deadlineMinutes: 1_440,
      onDeadline,
    },
  }),
  makeStep({ id: 3, title: 'Send', outputVariableName: 'sent', content: '{{approved.text}}' }),
]
const waitingFor: WaitingFor = {
  askId: 7,
  title: 'Approve it',
  since,
  deadline,
  people: ['ada'],
  groups: ['Support leads'],
}
const waiting: RunState = { ...makeRunState('running', 'completed', 'asking', 'waiting'), waitingFor }
const runSteps = [
  makeRunStep({ title: 'Write', outputVariableName: 'answer', aiResponse: text }),
  makeRunStep({
    ...{ id: 2, position: 1, status: 'asking', title: 'Approve it', model: null },
    ...{ outputVariableName: 'approved', aiResponse: null, outputVariableValue: null },
  }),
  makeRunStep({ id: 3, position: 2, status: 'waiting', title: 'Send', outputVariableName: 'sent' }),
]

function showPage(answers: Parameters<typeof stubChainApi>[0] = {}) {
  const sent = stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain({ steps })),
    'GET /api/executions/218': () => Response.json(makeRun({ waitingFor, steps: runSteps })),
    'GET /api/executions/218/status': () => Response.json(waiting),
    ...answers,
  })
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

const card = (name: string) => within(screen.getByRole('article', { name }))

test('The card of a step that asks says what it asks of whom, and what holds without an answer.', async () => {
  window.history.replaceState(null, '', '/chains/12')
  showPage()
  await screen.findAllByRole('article')
  const ask = card('Approve it')
  expect(ask.getByText(question)).toBeTruthy()
  expect(ask.getByText('asks ada or Support leads')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Approve it' }).textContent).toContain('1 day, then Reject')
  expect(ask.getByText('Output: approved')).toBeTruthy()
})

test('A run that waits says for whom since when, is answered on its step’s card, and keeps no other run from being started.', async () => {
  const answered: Partial<Ask> = { status: 'answered', decision: 'approve', by: 'ada', canAnswer: false }
  const sent = showPage({
    'GET /api/asks/7': () => Response.json(makeAsk()),
    'POST /api/asks/7/answer': () => Response.json(makeAsk({ ...answered, at: '2026-11-30T09:42:00.000Z' })),
  })
  await screen.findAllByRole('article')
  expect(await card('Approve it').findByText('waiting for ada or Support leads')).toBeTruthy()
  const words = /^Waiting for ada or Support leads since .+, until .+$/
  expect(
    screen.getByText((_, element) => element?.tagName === 'SPAN' && words.test(element.textContent)),
  ).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Execute Chain/ }).disabled).toBe(false)
  expect(screen.getAllByRole('button', { name: 'Stop' })).toHaveLength(1)
  await userEvent.click(await card('Approve it').findByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(writesOf(sent).map(({ body }) => body)).toEqual([{ decision: 'approve' }]))
  expect(await card('Approve it').findByText(/, after 12 min$/)).toBeTruthy()
})

test('Whoever sees the run but is not asked is told for whom it waits, and gets no choices.', async () => {
  showPage({ 'GET /api/asks/7': () => Response.json({ error: 'Not found' }, { status: 404 }) })
  await screen.findAllByRole('article')
  await card('Approve it').findByText('waiting for ada or Support leads')
  await waitFor(() =>
    expect(screen.getByRole('article', { name: 'Approve it' }).textContent).toMatch(
      /Waiting for ada or Support leads since .+, until/,
    ),
  )
  expect(card('Approve it').queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('A step that was answered says who decided what and why.', async () => {
  const given = JSON.stringify({ decision: 'approve', text, reason: 'Reads well.', by: 'ben', at: since })
  showPage({
    'GET /api/executions/218': () =>
      Response.json(
        makeRun({
          status: 'failed',
          steps: runSteps.map((step) =>
            step.id === 2
              ? { ...step, status: 'completed', aiResponse: given, outputVariableValue: given }
              : step,
          ),
        }),
      ),
    'GET /api/executions/218/status': () =>
      Response.json(makeRunState('failed', 'completed', 'completed', 'failed')),
  })
  await screen.findAllByRole('article')
  await waitFor(() =>
    expect(screen.getByRole('article', { name: 'Approve it' }).textContent).toContain(
      'Approve by ben: Reads well.',
    ),
  )
})

test('A run that stopped before its private values were shown to others says to whom, and goes on in one press.', async () => {
  const wouldLeave = ['ask: ada#1, "Support leads"#2']
  const stopped = makeRunState('failed', 'completed', 'failed', 'waiting')
  const sent = showPage({
    'GET /api/executions/218': () =>
      Response.json(makeRun({ status: 'failed', canResume: true, wouldLeave, steps: runSteps })),
    'GET /api/executions/218/status': () => Response.json({ ...stopped, wouldLeave }),
    'GET /api/chains/12/sends': () => Response.json([]),
    'POST /api/executions/218/resume': () => Response.json({ id: 218 }),
  })
  const note = within(await screen.findByRole('note', { name: 'Private values' }))
  expect(note.getByText('ada, Support leads')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Resume from here' })).toBeNull()
  await userEvent.click(note.getByRole('button', { name: 'Allow and resume' }))
  await waitFor(() => expect(writesOf(sent).map(({ body }) => body)).toEqual([{ sends: wouldLeave }]))
})
