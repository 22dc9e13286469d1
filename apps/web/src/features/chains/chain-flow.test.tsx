import type { Chain, Condition, RunDetails, RunState } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
import { show } from './testing/show.tsx'
import { stubChainApi } from './testing/stub-chain-api.ts'

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const severe: Condition = { all: [{ ref: 'triage.severity', op: 'is', value: 'high' }] }
const REASON = 'It runs only if triage.severity is high'
const schema = { type: 'object', properties: { severity: { type: 'string' } } }
const stopped = makeStep({
  id: 4,
  kind: 'stop',
  title: 'Nothing to do',
  content: '',
  model: null,
  outputVariableName: '',
  stop: { outcome: 'failed', text: 'Spam: {{triage}}' },
})
const steps = [
  makeStep({ id: 1, title: 'Triage', outputVariableName: 'triage', output: { type: 'json', schema } }),
  makeStep({
    id: 2,
    title: 'Warn',
    outputVariableName: 'warning',
    onlyIf: severe,
    default: 'No warning.',
    ifItFails: 'go_on',
  }),
  makeStep({ id: 3, title: 'Answer', outputVariableName: 'answer', content: '{{triage}} {{warning}}' }),
  stopped,
]

function showPage(answers: Parameters<typeof stubChainApi>[0] = {}, fields: Partial<Chain> = {}) {
  const sent = stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain({ steps, ...fields })),
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

test('A step’s card says when it runs, what goes on instead, and that it ends the run.', async () => {
  showPage()
  await screen.findAllByRole('article')
  const warn = screen.getByRole('article', { name: 'Warn' })
  expect(warn.textContent).toContain('only if triage.severity is high')
  expect(card('Warn').getByText('No warning.')).toBeTruthy()
  expect(card('Warn').getByText('goes on if it fails')).toBeTruthy()
  const stop = card('Nothing to do')
  expect(stop.getByText('Ends the run as failed')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Nothing to do' }).textContent).toContain('Spam: {{triage}}')
  expect(stop.queryByText(/^Output/)).toBeNull()
  expect(card('Triage').queryByText(/only if/)).toBeNull()
})

test('‘Else’ on the card opens the form of a new step with the opposite condition; who may not edit has no such button.', async () => {
  showPage()
  await screen.findAllByRole('article')
  await userEvent.click(card('Warn').getByRole('button', { name: 'Else: Warn' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add Step' }))
  expect(form.getByRole('button', { name: 'When it runs: only if triage.severity is not high' })).toBeTruthy()
  expect(window.location.search).toBe('?step=new&else=2')
  cleanup()
  window.history.replaceState(null, '', '/chains/12')
  showPage({}, { canEdit: false })
  await screen.findAllByRole('article')
  expect(card('Warn').queryByRole('button', { name: 'Else: Warn' })).toBeNull()
})

test('An output that may be empty is warned about where it is used, unless its step has a default.', async () => {
  showPage()
  await screen.findAllByRole('article')
  expect(screen.queryByText(/is empty where step 2 is skipped/)).toBeNull()
  cleanup()
  const [triage, { default: _, ...warn } = makeStep(), answer] = steps
  showPage({}, { steps: [triage ?? makeStep(), warn, answer ?? makeStep()] })
  expect(await screen.findByText(/is empty where step 2 is skipped/)).toBeTruthy()
})

const runSteps: RunDetails['steps'] = [
  makeRunStep({ title: 'Triage', outputVariableName: 'triage' }),
  makeRunStep({
    id: 2,
    position: 1,
    status: 'skipped',
    title: 'Warn',
    outputVariableName: 'warning',
    skipReason: REASON,
    inputContent: null,
    aiResponse: 'No warning.',
    outputVariableValue: 'No warning.',
  }),
]

function state(status: RunState['status'], ...statuses: Parameters<typeof makeRunState>[1][]): RunState {
  const run = makeRunState(status, ...statuses)
  return { ...run, steps: run.steps.map((step) => ({ ...step, skipReason: step.skipReason && REASON })) }
}

test('A skipped step says so with its reason and what went on instead, while the run goes on and after it.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const [first, second] = runSteps
  const running = state('running', 'completed', 'skipped', 'running', 'waiting')
  showPage({
    'GET /api/executions/218': () =>
      Response.json(makeRun({ steps: [first, second] as RunDetails['steps'] })),
    'GET /api/executions/218/status': () => Response.json(running),
  })
  await screen.findAllByRole('article')
  await waitFor(() => expect(card('Warn').getByText('skipped')).toBeTruthy())
  expect(await card('Warn').findByText(`${REASON}. Output: No warning.`)).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Step 3 of 4' })).toBeTruthy()
})

test('A run that a step ended says of the steps after it that they did not run.', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const ended = state('completed', 'completed', 'skipped', 'completed', 'skipped')
  Object.assign(ended.steps[3] ?? {}, { skipReason: 'The run ended before it' })
  const rest = [
    makeRunStep({
      id: 3,
      position: 2,
      title: 'Answer',
      outputVariableName: 'answer',
      aiResponse: 'All told.',
    }),
    makeRunStep({
      id: 4,
      position: 3,
      status: 'skipped',
      skipReason: 'The run ended before it',
      title: 'Nothing to do',
      outputVariableName: '',
      model: null,
      aiResponse: null,
      outputVariableValue: null,
    }),
  ]
  showPage({
    'GET /api/executions/218': () =>
      Response.json(
        makeRun({ status: 'completed', steps: [...runSteps, ...rest], stepCount: 4, completedSteps: 3 }),
      ),
    'GET /api/executions/218/status': () => Response.json(ended),
  })
  await screen.findAllByRole('article')
  expect(await card('Nothing to do').findByText(/^The run ended before it/)).toBeTruthy()
  expect(card('Warn').getByText('skipped')).toBeTruthy()
  expect(card('Warn').getByText(REASON)).toBeTruthy()
})
