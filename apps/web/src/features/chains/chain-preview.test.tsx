import type { Chain, ChainRunSummary, Condition, ForEach, RunDetails } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makePreview } from './testing/make-preview.ts'
import { makePresence, makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
import { show } from './testing/show.tsx'
import { type SentRequest, stubChainApi, writesOf } from './testing/stub-chain-api.ts'

const PREVIEW = 'POST /api/chains/12/steps/3/preview'

beforeEach(() => {
  localStorage.clear()
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  window.history.replaceState(null, '', '/chains/12')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ran = (position: number, fields: Parameters<typeof makeRunStep>[0] = {}) =>
  makeRunStep({
    id: position + 1,
    position,
    outputVariableName: ['tickets', 'counts', 'digest'][position] ?? '',
    ...fields,
  })
const failedRun = (fields: Partial<RunDetails> = {}) =>
  makeRun({
    status: 'failed',
    canResume: true,
    error: 'It rests.',
    steps: [ran(0), ran(1), ran(2, { status: 'failed', error: 'It rests.', aiResponse: null })],
    ...fields,
  })
const summaryOf = ({ steps: _, ...summary }: RunDetails) => summary as unknown as ChainRunSummary

interface Answers {
  chain?: Chain
  run?: RunDetails
  others?: object[]
  sends?: object[]
  preview?: (body: unknown) => Response
}

/** The page of the chain, whose newest run is shown. */
function showPage({
  chain = makeChain(),
  run = failedRun(),
  others = [],
  sends = [],
  preview,
}: Answers = {}): SentRequest[] {
  const sent = stubChainApi({
    'GET /api/chains/12': () => Response.json(chain),
    'GET /api/chains/12/executions?limit=50': () => Response.json([summaryOf(run), ...others]),
    'GET /api/executions/218': () => Response.json(run),
    'GET /api/executions/218/status': () => {
      const { status, canResume, canStop, sight } = run
      const statuses = run.steps.map((step) => step.status)
      return Response.json({ ...makeRunState(status, ...statuses), canResume, canStop, sight })
    },
    'GET /api/chains/12/sends?executionId=218': () => Response.json(sends),
    'POST /api/chains/12/execute': () => Response.json({ id: 219 }, { status: 201 }),
    [PREVIEW]: () =>
      preview?.(sent.findLast(({ key }) => key === PREVIEW)?.body) ?? Response.json(makePreview()),
  })
  show(
    <ChainLoader
      id={12}
      render={(chain) => (
        <ChainPage chain={chain} renderApiAccess={() => null} onDeleted={vi.fn()} onDuplicated={vi.fn()} />
      )}
    />,
  )
  return sent
}

const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More: Write' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Preview of step 3' }))
const previewsOf = (sent: SentRequest[]) => sent.filter(({ key }) => key === PREVIEW).map(({ body }) => body)

test('A step is previewed as it would go out with the values of a run, chosen among those whose texts the person may read.', async () => {
  const earlier = {
    ...summaryOf(failedRun({ id: 217, status: 'completed', executedBy: 'ines', sight: 'texts' })),
  }
  const figures = { ...earlier, id: 216, sight: 'figures' }
  const sent = showPage({
    others: [earlier, figures, { ...makePresence(), id: 215, status: 'ended' }],
    preview: (body) =>
      Response.json(
        (body as { executionId?: number }).executionId === 217
          ? makePreview({ executionId: 217, inputContent: 'Four groups.', inputSegments: [] })
          : makePreview(),
      ),
  })
  await choose('Preview')
  const shown = await dialog()
  const text = within(await shown.findByRole('figure', { name: 'What would be sent' }))
  expect(text.getByRole('button', { name: /tickets.*output of step 1, Collect/ })).toBeTruthy()
  expect(shown.getByText('about 1,204 tokens')).toBeTruthy()
  await userEvent.click(shown.getByRole('combobox', { name: 'With the values of' }))
  const offers = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(offers).toEqual([
    expect.stringMatching(/^#218 · failed · Nov 21, 2026/),
    expect.stringMatching(/^#217 · completed · .* · by ines$/),
  ])
  await userEvent.click(screen.getByRole('option', { name: /^#217/ }))
  expect(await shown.findByText('Four groups.')).toBeTruthy()
  expect(previewsOf(sent)).toEqual([{}, { executionId: 217 }])
  expect(window.location.search).toBe('?preview=3&values-of=217')
  expect(writesOf(sent).filter(({ key }) => key !== PREVIEW)).toEqual([])
})

test('A preview names what is missing and what is withheld, and shows one’s own private values when asked to.', async () => {
  const sent = showPage({
    preview: (body) =>
      Response.json(
        'fills' in (body as object)
          ? makePreview({ missing: ['counts'] })
          : makePreview({ missing: ['counts'], withheld: ['client'], fromOutside: ['tickets'] }),
      ),
  })
  await choose('Preview')
  const shown = await dialog()
  const gaps = within(await shown.findByRole('list', { name: 'Not filled in' }))
  expect(gaps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'missingcountsstays as written.',
    'withheldclientYours, private: you didn’t add this name to the chain.Show with its value',
  ])
  await userEvent.click(shown.getByRole('button', { name: 'from outside' }))
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/^tickets: from an API or a caller/)
  await userEvent.click(shown.getByRole('button', { name: 'Show with its value' }))
  await waitFor(() => expect(shown.queryByText('withheld')).toBeNull())
  expect(previewsOf(sent)).toEqual([{}, { fills: ['client'] }])
})

test('A preview says whether the condition holds, how many items a list has, and what would stop a run there.', async () => {
  const onlyIf: Condition = { all: [{ ref: 'counts', op: 'is', value: 'high' }] }
  const forEach: ForEach = {
    list: 'tickets',
    as: 'item',
    max: 20,
    atOnce: 3,
    onFailure: 'stop',
    result: 'text',
  }
  const [collect, count] = makeChain().steps
  const written = makeStep({
    id: 3,
    title: 'Write',
    outputVariableName: 'digest',
    onlyIf,
    forEach,
  })
  showPage({
    chain: makeChain({ steps: [collect ?? makeStep(), count ?? makeStep(), written] }),
    preview: () =>
      Response.json(
        makePreview({
          condition: { text: 'counts is high', holds: false, problem: null },
          items: { count: 24, first: 'A ticket', problem: 'The list has 24 items, and the step runs for 20' },
          inputContent: null,
          inputSegments: [],
          problem: 'The list has 24 items',
        }),
      ),
  })
  await choose('Preview')
  const shown = await dialog()
  expect(await shown.findByText('it doesn’t hold, so the step is skipped')).toBeTruthy()
  expect(shown.getByText('24 items')).toBeTruthy()
  expect(shown.getByText('The list has 24 items, and the step runs for 20.')).toBeTruthy()
  expect(shown.getByRole('note').textContent).toBe('A run would stop here: The list has 24 items.')
})

test('A preview says that there is no run yet, and that it failed, which it tries again.', async () => {
  const answers = [
    Response.json({ error: 'The database does not answer.' }, { status: 500 }),
    Response.json(
      makePreview({ executionId: null, inputContent: '{{tickets}} {{counts}}', inputSegments: [] }),
    ),
  ]
  showPage({
    run: failedRun({ sight: 'figures', executedBy: 'ines' }),
    preview: () => answers.shift() ?? Response.error(),
  })
  await choose('Preview')
  const shown = await dialog()
  await userEvent.click(await shown.findByRole('button', { name: 'Try again' }))
  expect(await shown.findByText(/^There is no run yet whose values you can see/)).toBeTruthy()
  expect(shown.getByText('{{tickets}} {{counts}}')).toBeTruthy()
  expect(shown.queryByRole('button', { name: 'Run from here' })).toBeNull()
})

test('The form of a step says that its preview is of what is saved, as soon as something is not.', async () => {
  showPage()
  await choose('Edit')
  const form = within(await screen.findByRole('dialog', { name: 'Edit Step' }))
  await userEvent.click(form.getByRole('button', { name: 'Preview' }))
  expect(await (await dialog()).findByText('about 1,204 tokens')).toBeTruthy()
  expect((await dialog()).queryByRole('note')).toBeNull()
  await userEvent.keyboard('{Escape}')
  await userEvent.type(await form.findByLabelText('Title'), ' it')
  await userEvent.click(form.getByRole('button', { name: 'Preview' }))
  expect((await (await dialog()).findByRole('note')).textContent).toBe(
    'This is the step as it is saved. Your changes are not in it yet.',
  )
})

test('A run begins at a step with what an earlier one has of those before it, from its card and from its preview.', async () => {
  const sent = showPage()
  await screen.findByRole('article', { name: 'Write' })
  await choose('Run from here')
  const body = { from: { executionId: 218, position: 2 } }
  await waitFor(() => expect(writesOf(sent)).toEqual([{ key: 'POST /api/chains/12/execute', body }]))
  cleanup()
  window.history.replaceState(null, '', '/chains/12')
  const again = showPage()
  await choose('Preview')
  await userEvent.click(await (await dialog()).findByRole('button', { name: 'Run from here' }))
  await waitFor(() => expect(writesOf(again)).toContainEqual({ key: 'POST /api/chains/12/execute', body }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('A run from a step asks first where its private values may go, as far as its own steps take them.', async () => {
  const send = { chainId: 12, kind: 'ask', groups: [], role: null, isConfirmed: true, title: 'Ask' }
  const [collect, count] = makeChain().steps
  const asking = makeStep({ id: 3, title: 'Write', kind: 'ask', model: null, outputVariableName: 'digest' })
  const sent = showPage({
    chain: makeChain({ steps: [collect ?? makeStep(), count ?? makeStep(), asking] }),
    sends: [
      { ...send, destination: 'a', position: 1, people: ['ana'] },
      { ...send, destination: 'b', position: 2, people: ['ines'] },
    ],
  })
  await screen.findByRole('article', { name: 'Write' })
  await choose('Run from here')
  const form = within(await screen.findByRole('dialog', { name: 'Run from step 3' }))
  expect(form.getByText(/^Steps 1 and 2 are taken over from execution #218/)).toBeTruthy()
  expect(form.queryByText('ana')).toBeNull()
  expect(form.getByText('ines')).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: /^Run from here/ }))
  const body = { sends: ['b'], from: { executionId: 218, position: 2 } }
  await waitFor(() => expect(writesOf(sent)).toEqual([{ key: 'POST /api/chains/12/execute', body }]))
})
