import type { ItemCounts, RunDetails, RunState } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makeListedItems, makeLoopStep, makeRunItem } from './testing/make-items.ts'
import { makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const forEach = {
  list: 'tickets',
  as: 'item',
  max: 200,
  atOnce: 5,
  onFailure: 'leave_out',
  result: 'text',
} as const
const steps = [
  makeStep({ id: 1, title: 'Collect', outputVariableName: 'tickets' }),
  makeStep({ id: 2, title: 'Answer each', outputVariableName: 'answers', content: '{{item}}', forEach }),
  makeStep({ id: 3, title: 'Write', outputVariableName: 'letter', content: '{{answers}}' }),
]
const ITEMS = 'GET /api/executions/218/steps/1/items?limit=20'

function showPage(answers: Parameters<typeof stubChainApi>[0] = {}) {
  const sent = stubChainApi({
    'GET /api/chains/12': () => Response.json(makeChain({ steps })),
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

/** The run as it is fetched, and how far it is. */
function runWith(run: Partial<RunDetails>, state: RunState) {
  return {
    'GET /api/executions/218': () => Response.json(makeRun(run)),
    'GET /api/executions/218/status': () => Response.json(state),
  }
}

/** A completed run whose second step answered so many tickets, of which each fifth failed. */
function ranWith(all: number, fields: Parameters<typeof makeLoopStep>[1] = {}) {
  const loop = makeLoopStep(all, {
    id: 2,
    position: 1,
    title: 'Answer each',
    outputVariableName: 'answers',
    ...fields,
  })
  const first = makeRunStep({ title: 'Collect', outputVariableName: 'tickets' })
  const last = makeRunStep({ id: 3, position: 2, title: 'Write', outputVariableName: 'letter' })
  return runWith(
    { status: 'completed', steps: [first, loop, last] },
    makeRunState('completed', 'completed', 'completed', 'completed'),
  )
}

const card = (name: string) => within(screen.getByRole('article', { name }))

test('A step’s card says which list it goes through, how many items at most, and what is done about those that fail.', async () => {
  window.history.replaceState(null, '', '/chains/12')
  showPage()
  await screen.findAllByRole('article')
  const each = screen.getByRole('article', { name: 'Answer each' })
  expect(each.textContent).toContain('for each item of tickets, up to 200, 5 at once')
  expect(card('Answer each').getByText('leaves out items that fail')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Write' }).textContent).not.toContain('for each')
})

test('While a step goes through a list, its card and the run say how far it is, and how many items failed.', async () => {
  const itemCounts: ItemCounts = { all: 200, completed: 9, skipped: 1, failed: 2 }
  const state = makeRunState('running', 'completed', 'running', 'waiting')
  const [first, second, third] = state.steps
  if (!first || !second || !third) throw new Error('the run has three steps')
  const names = ['tickets', 'answers', 'letter']
  const known = names.map((outputVariableName, position) => makeRunStep({ position, outputVariableName }))
  showPage(runWith({ steps: known }, { ...state, steps: [first, { ...second, itemCounts }, third] }))
  await screen.findAllByRole('article')
  expect(await card('Answer each').findByText('9 of 200 done · 1 skipped · 2 failed')).toBeTruthy()
  expect(card('Answer each').getByText(/^running · 12 of 200 · /)).toBeTruthy()
  expect(card('Answer each').queryByText(/^Waiting for the model/)).toBeNull()
  expect(screen.getByText((_, element) => element?.textContent === '12 of 200 items')).toBeTruthy()
  expect(card('Answer each').queryByRole('button', { name: /^Retry/ })).toBeNull()
})

test('Items are read a page at a time; each opens with what was asked, its answer or error, and its cost.', async () => {
  const sent = showPage({
    ...ranWith(45),
    [ITEMS]: () => Response.json(makeListedItems({ count: 20 }), { headers: { 'X-Next-Cursor': 'next' } }),
    [`${ITEMS}&cursor=next`]: () =>
      Response.json(makeListedItems({ count: 20, from: 20 }), { headers: { 'X-Next-Cursor': 'last' } }),
    [`${ITEMS}&status=failed`]: () =>
      Response.json(makeListedItems({ count: 45 }).filter(({ error }) => error)),
    'GET /api/executions/218/steps/1/items/3': () => Response.json(makeRunItem({ index: 3 })),
    'GET /api/executions/218/steps/1/items/4': () =>
      Response.json(makeRunItem({ index: 4, status: 'failed', aiResponse: null, error: 'It rests.' })),
  })
  await screen.findAllByRole('article')
  const step = card('Answer each')
  expect(await step.findByText('done · 9 left out')).toBeTruthy()
  await userEvent.click(step.getByRole('button', { name: 'Items of step 2' }))
  const list = () => within(step.getByRole('list', { name: 'Items' }))
  expect(list().getAllByRole('listitem')).toHaveLength(20)
  expect(step.getByText('1–20 of 45')).toBeTruthy()
  await userEvent.click(list().getByRole('button', { name: /Ticket 4/ }))
  expect(await list().findByText('Dear ticket 4.')).toBeTruthy()
  expect(list().getByText('item 4 of tickets')).toBeTruthy()
  expect(list().getAllByText('$0.25').length).toBeGreaterThan(1)
  await userEvent.click(list().getByRole('button', { name: /Ticket 5/ }))
  expect(await list().findByText('It rests.')).toBeTruthy()
  await waitFor(() => expect(step.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', false))
  await userEvent.click(step.getByRole('button', { name: 'Next' }))
  expect(await step.findByText('21–40 of 45')).toBeTruthy()
  expect(list().getAllByRole('listitem')).toHaveLength(20)
  expect(list().getByRole('button', { name: /Ticket 21/ })).toBeTruthy()
  await userEvent.click(step.getByRole('radio', { name: 'Failed 9' }))
  await waitFor(() => expect(list().getAllByRole('listitem')).toHaveLength(9))
  expect(step.queryByRole('button', { name: 'Next' })).toBeNull()
  expect(sent.filter(({ key }) => key === ITEMS)).toHaveLength(1)
})

test('Items that failed are run again by one press once the run has ended, and the run is followed.', async () => {
  const sent = showPage({
    ...ranWith(10, { retriedAt: '2026-11-21T09:50:00.000Z', laterStepsKept: true }),
    'POST /api/executions/218/steps/1/retry-items': () =>
      Response.json({ id: 218, chainId: 12, status: 'running', executedAt: '2026-11-21T09:42:00.000Z' }),
  })
  await screen.findAllByRole('article')
  expect(await card('Answer each').findByText(/^Failed items were retried/)).toBeTruthy()
  expect(card('Answer each').getByText(/Later steps that had already ended still use/)).toBeTruthy()
  await userEvent.click(card('Answer each').getByRole('button', { name: 'Retry 2 failed items' }))
  await waitFor(() =>
    expect(writesOf(sent)).toEqual([
      { key: 'POST /api/executions/218/steps/1/retry-items', body: undefined },
    ]),
  )
})

test('A failed step of many items is resumed, and says what of it is kept.', async () => {
  const itemCounts: ItemCounts = { all: 12, completed: 6, skipped: 1, failed: 1 }
  const loop = makeLoopStep(12, {
    id: 2,
    position: 1,
    status: 'failed',
    outputVariableName: 'answers',
    aiResponse: null,
    itemCounts,
  })
  const first = makeRunStep({ title: 'Collect', outputVariableName: 'tickets' })
  const state = makeRunState('failed', 'completed', 'failed', 'waiting')
  showPage(runWith({ status: 'failed', canResume: true, steps: [first, loop] }, state))
  await screen.findAllByRole('article')
  const kept = 'Step 1 is kept and will not be paid for again. 7 items of this step are kept too.'
  expect(await card('Answer each').findByText((text) => text.includes(kept))).toBeTruthy()
  expect(card('Answer each').getByRole('button', { name: 'Resume from here' })).toBeTruthy()
  expect(card('Answer each').queryByRole('button', { name: /^Retry/ })).toBeNull()
  expect(card('Answer each').queryByRole('button', { name: 'Rendered input' })).toBeNull()
})

test('Two hundred items make the page no larger than twenty do.', async () => {
  const sizes: number[] = []
  for (const all of [20, 200]) {
    showPage({
      ...ranWith(all),
      [ITEMS]: () =>
        Response.json(
          makeListedItems({ count: 20 }),
          all > 20 ? { headers: { 'X-Next-Cursor': 'next' } } : {},
        ),
    })
    await screen.findAllByRole('article')
    await userEvent.click(await card('Answer each').findByRole('button', { name: 'Items of step 2' }))
    expect(card('Answer each').getAllByRole('listitem').length).toBeGreaterThanOrEqual(20)
    sizes.push(document.querySelectorAll('*').length)
    cleanup()
  }
  const [few = 0, many = 0] = sizes
  expect(many / few).toBeLessThan(1.1)
})
