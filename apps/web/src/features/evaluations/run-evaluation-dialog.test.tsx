import type { EvaluationForecast } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import RunEvaluationDialog from './run-evaluation-dialog.tsx'
import { baselineOf, proposedCostLimit, targetsOf } from './run-evaluation-form.ts'
import { makeEvaluation } from './testing/make-evaluation.ts'

beforeEach(() => {
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const estimate: EvaluationForecast = {
  ...{ medianUsd: 0.38, p95Usd: 0.61, cells: 15, reused: 3, uncounted: 0, asksToFill: [] },
  targets: [
    { version: 4, model: 'claude', basis: 'runs', runs: 84, medianUsd: 0.2, p95Usd: 0.3 },
    { version: 7, model: 'claude', basis: 'text', runs: 0, medianUsd: 0.16, p95Usd: 0.27 },
  ],
  judge: { model: 'openai', calls: 6, medianUsd: 0.02, p95Usd: 0.04 },
}
const suite = {
  ...{ id: 3, promptId: 3, chainId: null, name: 'Launch mails', caseCount: 9, notRunCount: 0, revision: 1 },
  ...{ createdAt: '2026-11-20T09:42:00Z', updatedAt: '2026-11-20T09:42:00Z', canEdit: true },
}
const labels = {
  latest: 7,
  labels: [{ label: 'production', version: 4, movedBy: 'ada', movedAt: '2026-11-20T09:42:00Z' }],
  ...{ canMove: true, protected: [] },
}
const version = { title: 'Launch', content: 'Write.', author: 'ada', createdAt: '2026-11-20T09:42:00Z' }

function open({
  suites = [suite],
  answers = {},
}: {
  suites?: object[]
  answers?: Parameters<typeof stubChainApi>[0]
} = {}) {
  const onStarted = vi.fn()
  const sent = stubChainApi({
    'GET /api/prompts/3/test-suites': () => Response.json(suites),
    'GET /api/prompts/3/labels': () => Response.json(labels),
    'GET /api/prompts/3/versions': () =>
      Response.json(
        [7, 6, 5, 4].map((number) => ({ ...version, number, note: number === 7 ? 'Shorter' : '' })),
      ),
    'POST /api/evaluations/estimate': () => Response.json(estimate),
    'POST /api/evaluations': () => Response.json(makeEvaluation([['waiting']]), { status: 201 }),
    ...answers,
  })
  const record = { kind: 'prompt' as const, id: 3, name: 'Product launch email' }
  show(<RunEvaluationDialog record={record} onStarted={onStarted} onClose={() => undefined} />)
  return { sent, onStarted }
}
const startsOf = (sent: ReturnType<typeof open>['sent']) =>
  writesOf(sent).flatMap(({ key, body }) => (key === 'POST /api/evaluations' ? body : []))

test('the newest version is compared with the live one; the cost and its basis are shown first', async () => {
  const { sent, onStarted } = open()
  const panel = await screen.findByRole('region', { name: 'Estimate' })
  expect(panel.textContent).toContain('$0.38 to $0.61for 15 results, 3 reused, 6 judge calls included')
  expect(within(panel).getByText('$0.20 to $0.30, from the tokens of 84 past runs')).toBeTruthy()
  expect(within(panel).getByText('$0.16 to $0.27, from the length of the texts')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith(14))
  expect(startsOf(sent)).toEqual([
    {
      ...{ suiteId: 3, judgeModel: null, reuse: true, baseline: 0, ceilingUsd: 0.92 },
      targets: [
        { version: 4, model: 'claude' },
        { version: 7, model: 'claude' },
      ],
    },
  ])
})

test('a cost limit with a decimal comma is that limit, and one that could be two is asked about', async () => {
  const { sent } = open()
  const limit = screen.findByRole('textbox', { name: 'Cost limit in US dollars' })
  await userEvent.type(await limit, '1,500')
  expect(screen.getByText('“1,500” can be read in two ways. Write 1500 or 1.5')).toBeTruthy()
  await userEvent.type(await limit, '{Backspace}{Backspace}')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Run evaluation/ }).hasAttribute('disabled')).toBe(false),
  )
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  await waitFor(() => expect(startsOf(sent)).toMatchObject([{ ceilingUsd: 1.5 }]))
})

test('‘Run evaluation’ asks for suite, versions, models, judge, reuse, and shows estimate and cost limit.', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByRole('checkbox', { name: /^v4/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Gemini' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Cost limit in US dollars' }), '2')
  await userEvent.click(screen.getByRole('switch', { name: /Reuse unchanged/ }))
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Run evaluation/ }).hasAttribute('disabled')).toBe(false),
  )
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  await waitFor(() => expect(startsOf(sent)).toHaveLength(1))
  expect(startsOf(sent)[0]).toMatchObject({
    ...{ ceilingUsd: 2, reuse: false },
    targets: [
      { version: 7, model: 'claude' },
      { version: 7, model: 'gemini' },
    ],
  })
})

test('without a test there is nothing to run, and the dialog says where tests come from', async () => {
  open({ suites: [] })
  expect(await screen.findByText('No tests yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Run evaluation/ })).toBeNull()
})

test('what the server refuses is shown', async () => {
  open({
    answers: {
      'POST /api/evaluations/estimate': () =>
        Response.json({ error: 'GPT-4o is not set up: OPENAI_API_KEY is missing' }, { status: 409 }),
    },
  })
  expect(await screen.findByText('GPT-4o is not set up: OPENAI_API_KEY is missing')).toBeTruthy()
  expect(screen.getByRole('button', { name: /Run evaluation/ }).hasAttribute('disabled')).toBe(true)
})

test('The dialog of an evaluation names the private values that others’ texts take before it starts.', async () => {
  const asking = { ...estimate, asksToFill: ['client', 'openai_key'] }
  const { sent, onStarted } = open({
    answers: { 'POST /api/evaluations/estimate': () => Response.json(asking) },
  })
  const note = await screen.findByRole('note', { name: 'Private values' })
  expect(note.textContent).toContain('Yours, private: client, openai_key')
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  await waitFor(() => expect(onStarted).toHaveBeenCalledWith(14))
  expect(startsOf(sent)).toMatchObject([{ fills: ['client', 'openai_key'] }])
})

test('a private name that came into the texts meanwhile is shown after the refusal', async () => {
  let asksToFill: string[] = []
  const refusal = { error: 'Allow it first', code: 'private_values', details: [{ name: 'client' }] }
  const { sent } = open({
    answers: {
      'POST /api/evaluations/estimate': () => Response.json({ ...estimate, asksToFill }),
      'POST /api/evaluations': () => Response.json(refusal, { status: 409 }),
    },
  })
  await screen.findByRole('region', { name: 'Estimate' })
  expect(screen.queryByRole('note', { name: 'Private values' })).toBeNull()
  asksToFill = ['client']
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  expect((await screen.findByRole('note', { name: 'Private values' })).textContent).toContain('client')
  await userEvent.click(screen.getByRole('button', { name: /Run evaluation/ }))
  await waitFor(() => expect(startsOf(sent)).toMatchObject([{}, { fills: ['client'] }]))
  expect(startsOf(sent)[0]).not.toHaveProperty('fills')
})

test('targets are versions by models, and for a chain only versions', () => {
  const chosen = { versions: [7, 4], models: ['claude', 'gemini'] as const }
  expect(targetsOf({ kind: 'prompt', ...chosen })).toHaveLength(4)
  expect(targetsOf({ kind: 'chain', ...chosen })).toEqual([
    { version: 4, model: null },
    { version: 7, model: null },
  ])
  const versions = [
    { number: 7, note: '', labels: ['production'] },
    { number: 4, note: '', labels: [] },
  ]
  expect(baselineOf(targetsOf({ kind: 'chain', ...chosen }), versions)).toBe(1)
})

test.each([
  [0.61, 0.92],
  [0, 0.01],
  [null, 0.01],
  [12.3, 19],
])('of %s dollars at most a cost limit of %s is proposed', (p95Usd, costLimit) => {
  expect(proposedCostLimit({ p95Usd })).toBe(costLimit)
})
