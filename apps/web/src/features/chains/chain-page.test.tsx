import type { Chain } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../testing/make-chain.ts'
import { makeVariable } from '../variables/testing/make-variable.ts'
import { ChainLoader } from './chain-loader.tsx'
import { ChainPage } from './chain-page.tsx'
import { makeRun, makeRunState, makeRunStep } from './testing/make-run.ts'
import { show } from './testing/show.tsx'
import { stubChainApi, writesOf } from './testing/stub-chain-api.ts'

const onDeleted = vi.fn()
const onDuplicated = vi.fn()

beforeEach(() => {
  window.history.replaceState(null, '', '/chains/12')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function showPage() {
  show(
    <ChainLoader
      id={12}
      render={(chain) => (
        <ChainPage
          chain={chain}
          renderApiAccess={({ takesInput }) => <p>API Access: {takesInput ? 'hears' : 'deaf'}</p>}
          onDeleted={onDeleted}
          onDuplicated={onDuplicated}
        />
      )}
    />,
  )
}

const answer = (chain: Chain) => ({ 'GET /api/chains/12': () => Response.json(chain) })
function inOrder(ids: number[]): Chain {
  const { steps, ...chain } = makeChain({ revision: 5 })
  return { ...chain, steps: ids.flatMap((id) => steps.filter((step) => step.id === id)) }
}
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const card = (name: string) => within(screen.getByRole('article', { name }))

async function choose(step: string, item: string) {
  await userEvent.click(card(step).getByRole('button', { name: `More: ${step}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

test('The API Access card is there for those who may edit the chain.', async () => {
  const steps = makeChain().steps.map((step) => ({ ...step, content: '{{input}}' }))
  for (const [fields, says] of [[{}, 'deaf'] as const, [{ steps }, 'hears'] as const]) {
    stubChainApi(answer(makeChain(fields)))
    showPage()
    expect(await screen.findByText(`API Access: ${says}`)).toBeTruthy()
  }
})

test('A step shows its number, title or ‘Untitled Step’, model, ‘Output: name’, ‘Linked Prompt’, and 200 characters or ‘No content provided’; before that ‘Loading chain details...’.', async () => {
  const linked = { id: 7, title: 'Count', content: 'Now with {{tickets}}.', version: 2 }
  const [first, second, third] = makeChain().steps
  if (!first || !second || !third) throw new Error('three steps')
  const steps = [
    { ...first, content: 'x'.repeat(250) },
    { ...second, promptId: 7, linkedPrompt: linked, model: 'openai' as const },
    { ...third, title: ' ', content: '' },
  ]
  stubChainApi(answer(makeChain({ steps })))
  showPage()
  expect(screen.getByText('Loading chain details...')).toBeTruthy()
  await screen.findAllByRole('article')
  expect(titles()).toEqual(['Collect', 'Count', 'Untitled Step'])
  expect(card('Collect').getByText(`${'x'.repeat(200)}…`)).toBeTruthy()
  expect(card('Collect').getByText('Output: tickets')).toBeTruthy()
  const count = card('Count')
  expect(count.getByText('GPT-4o')).toBeTruthy()
  expect(count.getByText('Linked Prompt')).toBeTruthy()
  expect(count.getByText('{{tickets}}').parentElement?.textContent).toBe('Now with {{tickets}}.')
  expect(count.getByText('tickets').parentElement?.textContent).toBe('takesticketsfrom 1')
  expect(card('Untitled Step').getByText('No content provided')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Move step 2: Count' }).textContent).toBe('2')
  expect(document.title).toBe('Monday digest – Catenary')
})

test('warnings stand at their steps and are counted before the run', async () => {
  const steps = [makeStep({ id: 1, title: 'One', content: '{{out_2}} $<nobody>' }), makeStep({ id: 2 })]
  stubChainApi(answer(makeChain({ steps })))
  showPage()
  const summary = await screen.findByRole('note', { name: 'Warnings' })
  await waitFor(() =>
    expect(summary.textContent).toContain('2 warnings to read before you run this chain: step 1'),
  )
  expect(card('One').getByText('{{out_2}} is only produced later, by step 2.')).toBeTruthy()
  expect(card('One').getByText('There is no variable $<nobody>, so it stays as written.')).toBeTruthy()
  await userEvent.click(within(summary).getByRole('button', { name: 'step 1' }))
  expect(document.activeElement).toBe(card('One').getByRole('button', { name: 'One' }))
})

const asking = makeStep({ id: 1, title: 'One', content: 'Sum up $<text>.', systemPrompt: 'Mind $<Text>.' })

test('Where a warning says that a variable is missing, it is created, there and before the run.', async () => {
  const sent = stubChainApi({
    ...answer(makeChain({ steps: [asking] })),
    'GET /api/variables': [() => Response.json([]), () => Response.json([makeVariable({ name: 'text' })])],
    'POST /api/variables': () => Response.json(makeVariable({ name: 'text' }), { status: 201 }),
  })
  showPage()
  const create = 'Create variable text'
  expect(await screen.findByRole('button', { name: create })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Execute Chain/ }))
  const before = within(await screen.findByRole('dialog', { name: 'Execute Chain' }))
  expect(before.getByRole('button', { name: /Run anyway/ })).toBeTruthy()
  await userEvent.click(before.getByRole('button', { name: create }))
  const form = within(await screen.findByRole('dialog', { name: 'Create New Variable' }))
  expect(form.getByLabelText('Name')).toHaveProperty('value', 'text')
  await userEvent.click(form.getByRole('button', { name: /^Create Variable/ }))
  expect(await before.findByRole('button', { name: /^Execute Chain/ })).toBeTruthy()
  expect(before.getByText('Ready to run.')).toBeTruthy()
  expect(screen.queryByText(/There is no variable/)).toBeNull()
  expect(writesOf(sent)).toMatchObject([{ key: 'POST /api/variables', body: { name: 'text' } }])
})

test('A missing variable gives way to the input of the run by one press, in every text of the step’s own.', async () => {
  const texts = { content: 'Sum up {{input}}.', systemPrompt: 'Mind {{input}}.' }
  const taking = { ...asking, ...texts }
  const sent = stubChainApi({
    'GET /api/chains/12': [
      () => Response.json(makeChain({ steps: [asking] })),
      () => Response.json(makeChain({ steps: [taking], revision: 5 })),
    ],
    'GET /api/variables': () => Response.json([]),
    'PATCH /api/chains/12/steps/1': () => Response.json(taking),
  })
  showPage()
  const take = { name: 'Use {{input}} instead of $<text>' }
  await userEvent.click(await screen.findByRole('button', take))
  expect(await screen.findByText('“One” now uses {{input}}.')).toBeTruthy()
  expect(screen.queryByText(/There is no variable/)).toBeNull()
  expect(writesOf(sent)).toMatchObject([
    { key: 'PATCH /api/chains/12/steps/1', body: { ...texts, revision: 4 } },
  ])
})

test('who may only look at a chain, and the step of a linked prompt, may create the variable and not rewrite the text', async () => {
  const linkedPrompt = { id: 7, title: 'Count', content: 'Sum up $<text>.', version: 2 }
  const shown = [
    makeChain({ steps: [asking], canEdit: false }),
    makeChain({ steps: [{ ...asking, systemPrompt: null, promptId: 7, linkedPrompt }] }),
  ]
  for (const chain of shown) {
    stubChainApi({ ...answer(chain), 'GET /api/variables': () => Response.json([]) })
    showPage()
    expect(await screen.findByRole('button', { name: 'Create variable text' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /instead of/ })).toBeNull()
    cleanup()
  }
})

test('A chain without steps says ‘No steps yet’ and ‘No description provided’, and offers ‘Add First Step’.', async () => {
  stubChainApi(answer(makeChain({ steps: [], description: '' })))
  showPage()
  expect(await screen.findByText('No steps yet')).toBeTruthy()
  expect(screen.getByText('Add a step to get started with your chain.')).toBeTruthy()
  expect(screen.getByText('No description provided')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add First Step' }))
  expect(await screen.findByRole('dialog', { name: 'Add Step' })).toBeTruthy()
})

test('n adds a step, e edits the chain, and on a card the step', async () => {
  stubChainApi(answer(makeChain()))
  showPage()
  await screen.findAllByRole('article')
  await userEvent.keyboard('n')
  expect(await screen.findByRole('dialog', { name: 'Add Step' })).toBeTruthy()
  cleanup()
  window.history.replaceState(null, '', '/chains/12')
  showPage()
  await screen.findAllByRole('article')
  card('Count').getByRole('button', { name: 'Count' }).focus()
  await userEvent.keyboard('e')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Step' }))
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Count')
})

test('Steps are reordered by drag, keyboard and menu. The change shows and is announced at once: ‘Steps reordered’.', async () => {
  const moved = inOrder([2, 1, 3])
  const sent = stubChainApi({
    'GET /api/chains/12': [() => Response.json(makeChain()), () => Response.json(moved)],
    'POST /api/chains/12/reorder-steps': () => Response.json(moved),
  })
  showPage()
  await screen.findAllByRole('article')
  await choose('Collect', 'Move down')
  await waitFor(() => expect(titles()).toEqual(['Count', 'Collect', 'Write']))
  expect(await screen.findByText('Steps reordered')).toBeTruthy()
  const body = { stepIds: [2, 1, 3], revision: 4 }
  expect(writesOf(sent)).toEqual([{ key: 'POST /api/chains/12/reorder-steps', body }])
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('More: Collect'))
})

test('A refused order of steps is taken back: ‘Failed to reorder steps’.', async () => {
  stubChainApi({
    // The refusal, not a later reply, must be what takes it back.
    'GET /api/chains/12': [() => Response.json(makeChain()), () => new Promise<Response>(() => undefined)],
    'POST /api/chains/12/reorder-steps': () => Response.json({ error: 'Not now' }, { status: 503 }),
  })
  showPage()
  await screen.findAllByRole('article')
  await choose('Write', 'Move up')
  expect(await screen.findByText('Failed to reorder steps')).toBeTruthy()
  expect(screen.getByText('503: Not now')).toBeTruthy()
  await waitFor(() => expect(titles()).toEqual(['Collect', 'Count', 'Write']))
})

test('two quick moves go one after the other, the second with the revision that the first made', async () => {
  const first = Promise.withResolvers<void>()
  const sent = stubChainApi({
    ...answer(makeChain()),
    'POST /api/chains/12/reorder-steps': [
      () => first.promise.then(() => Response.json(inOrder([2, 1, 3]))),
      () => Response.json({ ...inOrder([2, 3, 1]), revision: 6 }),
    ],
  })
  showPage()
  await screen.findAllByRole('article')
  await choose('Collect', 'Move down')
  await waitFor(() => expect(titles()).toEqual(['Count', 'Collect', 'Write']))
  await choose('Collect', 'Move down')
  await waitFor(() => expect(titles()).toEqual(['Count', 'Write', 'Collect']))
  expect(writesOf(sent)).toHaveLength(1)
  first.resolve()
  await waitFor(() => expect(writesOf(sent)).toHaveLength(2))
  expect(writesOf(sent).map(({ body }) => body)).toEqual([
    { stepIds: [2, 1, 3], revision: 4 },
    { stepIds: [2, 3, 1], revision: 5 },
  ])
})

test('‘Step added’, ‘Step updated’, ‘Step deleted’ and their failures are said; deleting a step asks first.', async () => {
  const sent = stubChainApi({
    ...answer(makeChain()),
    'POST /api/chains/12/steps/2/duplicate': () => Response.json(makeStep({ id: 9 }), { status: 201 }),
    'DELETE /api/chains/12/steps/2': [
      () => Response.json({ error: 'Busy' }, { status: 500 }),
      () => new Response(null, { status: 204 }),
    ],
  })
  showPage()
  await screen.findAllByRole('article')
  await choose('Count', 'Duplicate')
  expect(await screen.findByText('Step added')).toBeTruthy()
  for (const message of ['Failed to delete step', 'Step deleted']) {
    await userEvent.click(card('Count').getByRole('button', { name: 'Delete step: Count' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain(
      'Are you sure you want to delete this step? This action cannot be undone.',
    )
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(message)).toBeTruthy()
  }
  expect(writesOf(sent)).toHaveLength(3)
})

test('Deleting a chain on its page asks, reports, and leads to /chains.', async () => {
  stubChainApi({
    ...answer(makeChain()),
    'DELETE /api/chains/12': [
      () => Response.json({ error: 'Busy' }, { status: 500 }),
      () => new Response(null, { status: 204 }),
    ],
  })
  showPage()
  await screen.findAllByRole('article')
  for (const message of ['Failed to delete chain', 'Chain deleted']) {
    await userEvent.click(screen.getByRole('button', { name: 'Delete chain' }))
    expect(
      await screen.findByText('Are you sure you want to delete this chain? This action cannot be undone.'),
    ).toBeTruthy()
    expect(onDeleted).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(message)).toBeTruthy()
  }
  expect(onDeleted).toHaveBeenCalledOnce()
})

test('Everyone sees Edit and Delete. People who may not use them are told why, and can read steps whole.', async () => {
  const long = makeStep({ content: `${'word '.repeat(60)}the end`, systemPrompt: 'Be brief.' })
  const chain = makeChain({
    canEdit: false,
    canDelete: false,
    owner: 'bob',
    sharedLevel: 'shared',
    steps: [long],
  })
  const sent = stubChainApi(answer(chain))
  showPage()
  await screen.findAllByRole('article')
  expect(screen.getByText('by bob')).toBeTruthy()
  expect(screen.queryByText(/^API Access/)).toBeNull()
  expect(screen.queryByRole('button', { name: /Add Step|Move step|More: Step/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Edit chain' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete chain' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Step 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Step 1' })
  expect(dialog.textContent).toContain('the end')
  expect(dialog.textContent).toContain('Be brief.')
  expect(writesOf(sent)).toEqual([])
  expect(sent.map(({ key }) => key)).not.toContain('GET /api/chains/12/shares')
})

test('The page of a scheduled chain says when it runs next, and leads to its schedules.', async () => {
  const nextRunAt = '2026-11-23T08:00:00.000Z'
  const scheduled = { schedules: 1, nextRunAt, timeZone: 'UTC' }
  stubChainApi({
    ...answer(makeChain()),
    'GET /api/scheduled-chains': () =>
      Response.json([
        { ...scheduled, chainId: 13, nextRunAt: '2027-01-01T08:00:00.000Z' },
        { ...scheduled, chainId: 12 },
      ]),
  })
  showPage()
  const link = await screen.findByRole('link', { name: /^Scheduled, next Nov 23, 2026/ })
  expect(link.getAttribute('href')).toBe('/chains/12/scheduled')
})

test('The page of a shared chain says ‘Shared with 3’.', async () => {
  const shares = ['bob', 'carol', 'dan'].map((username) => ({ username, role: 'viewer' }))
  const chain = makeChain({ sharedLevel: 'shared' })
  stubChainApi({ ...answer(chain), 'GET /api/chains/12/shares': () => Response.json(shares) })
  showPage()
  expect(await screen.findByText('Shared with 3')).toBeTruthy()
})

test('a run shows across the page, in its buttons, beside the steps and at each of them', async () => {
  window.history.replaceState(null, '', '/chains/12?run=218')
  const steps = ['tickets', 'counts', 'digest'].map((outputVariableName, position) =>
    makeRunStep({ position, outputVariableName }),
  )
  const failed = makeRunState('failed', 'completed', 'failed', 'waiting')
  stubChainApi({
    ...answer(makeChain()),
    'GET /api/executions/218': () => Response.json(makeRun({ steps })),
    'GET /api/executions/218/status': [
      () => Response.json(makeRunState('running', 'completed', 'running', 'waiting')),
      () => Response.json(failed),
    ],
  })
  showPage()
  await screen.findByText('Executing chain ID 12 ... Please wait for results.')
  expect(screen.getByRole('button', { name: 'Execution in progress...' })).toBeTruthy()
  expect(within(screen.getByRole('complementary', { name: 'Runs' })).getByText('running')).toBeTruthy()
  expect(card('Collect').getByText('done')).toBeTruthy()
  expect(card('Count').getByText(/^running/)).toBeTruthy()
  expect(card('Write').getByText('waiting')).toBeTruthy()
  expect(await card('Count').findByText('failed')).toBeTruthy()
  expect(card('Count').getByRole('button', { name: 'Resume from here' })).toBeTruthy()
  expect(screen.queryByText('Executing chain ID 12 ... Please wait for results.')).toBeNull()
  expect(card('Collect').queryByRole('button', { name: 'Rendered input' })).toBeNull()
  await userEvent.click(card('Collect').getByRole('button', { name: 'done' }))
  expect(card('Collect').getByRole('button', { name: 'Rendered input' })).toBeTruthy()
})

test.each([
  [404, 'Chain not found'],
  [500, '500: No luck'],
])(
  'A chain that can’t be loaded shows the message, or that it was not found. (%i, %s)',
  async (status, text) => {
    stubChainApi({ 'GET /api/chains/12': () => Response.json({ error: 'No luck' }, { status }) })
    showPage()
    expect(await screen.findByText(text)).toBeTruthy()
  },
)
