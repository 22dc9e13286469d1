import type { RunDetails, ValueOrigin } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeRun, makeRunStep } from '../chains/testing/make-run.ts'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import { earlier } from '../prompt-runs/testing/open-execute-page.tsx'
import SaveTestDialog from './save-test-dialog.tsx'
import { makeCase, makeSuite } from './testing/make-suite.ts'

beforeEach(() => {
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function originOf(fields: Partial<ValueOrigin>): ValueOrigin {
  return {
    ...{ type: 'text', variableId: 4, revision: 1, source: null, at: '2026-11-02T00:00:00.000Z' },
    ...{ cachedAt: null, error: null },
    ...fields,
  }
}

const RESOLVED = {
  customer: originOf({ type: 'typed', variableId: null }),
  tone: originOf({ isPrivate: true }),
  product: originOf({ isPrivate: false }),
  notes: originOf({ type: 'api', error: 'It answered 500' }),
}
const SENT = 'Greet Grace, warm and slow, for Catenary. $<notes>'
const at = (name: string, text: string) => {
  const start = SENT.indexOf(text)
  return { kind: 'variable' as const, name, start, end: start + text.length }
}
const STEP = makeRunStep({
  inputContent: SENT,
  inputSegments: [at('customer', 'Grace'), at('tone', 'warm and slow'), at('product', 'Catenary')],
  resolved: RESOLVED,
})

function open({ kind, run }: { kind: 'prompt' | 'chain'; run: Partial<RunDetails> }) {
  const sent = stubChainApi({
    [`GET /api/${kind}s/7/test-suites`]: () => Response.json([makeSuite()]),
    'GET /api/prompts/7/executions/218': () => Response.json({ ...earlier, id: 218, resolved: RESOLVED }),
    'GET /api/executions/218': () =>
      Response.json(makeRun({ kind, status: 'completed', steps: [STEP], ...run })),
    'GET /api/executions/218/steps/0': () => Response.json(STEP),
    'POST /api/test-suites/3/cases': () => Response.json(makeCase()),
  })
  show(
    <SaveTestDialog
      record={{ kind, id: 7 }}
      executionId={218}
      onShow={() => undefined}
      onClose={() => undefined}
    />,
  )
  return sent
}

const field = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })
const stored = (name: string) => screen.findByRole('region', { name: `Stored value of ${name}` })
const saved = async (sent: ReturnType<typeof open>) => {
  await userEvent.click(screen.getByRole('button', { name: /^Save Test/ }))
  await waitFor(() => expect(writesOf(sent)).toHaveLength(1))
  return writesOf(sent)[0]?.body
}

test('‘Save as test’ shows what the run’s variables gave to whoever may see it, and saves what was typed.', async () => {
  const sent = open({ kind: 'prompt', run: {} })
  expect((await field('customer')).value).toBe('Grace')
  expect((await stored('tone')).textContent).toContain('From your variable, in this run:')
  expect((await stored('tone')).textContent).toContain('warm and slow')
  expect((await stored('product')).textContent).toContain('From the variable, in this run:')
  expect(screen.getByText('It had no value in this run.')).toBeTruthy()
  expect((await field('tone')).value).toBe('')
  expect(await saved(sent)).toMatchObject({
    name: 'Grace · Briefly.',
    values: { customer: 'Grace' },
    input: 'Briefly.',
  })
})

test('A stored value is in a test only once it is copied there.', async () => {
  const sent = open({ kind: 'prompt', run: {} })
  const copy = async (name: string) =>
    userEvent.click(within(await stored(name)).getByRole('button', { name: `Copy into the test: ${name}` }))
  await copy('tone')
  expect((await field('tone')).value).toBe('warm and slow')
  expect((await stored('tone')).textContent).toContain('Everyone who can see the test can read it.')
  await copy('product')
  await userEvent.clear(await field('product'))
  expect(await saved(sent)).toMatchObject({ values: { customer: 'Grace', tone: 'warm and slow' } })
})

test('A chain’s run brings its input and values to the test (D59).', async () => {
  const clipped = { ...STEP, contentClipped: true as const, inputContent: 'Greet', inputSegments: [] }
  const sent = open({ kind: 'chain', run: { input: 'The week', steps: [clipped] } })
  expect((await field('Input of the chain')).value).toBe('The week')
  expect((await field('customer')).value).toBe('Grace')
  expect((await stored('tone')).textContent).toContain('warm and slow')
  await userEvent.type(await field('Input of the chain'), ' ahead')
  expect(await saved(sent)).toMatchObject({ values: { customer: 'Grace' }, input: 'The week ahead' })
})

test('private values of another person’s shared run are neither shown nor offered', async () => {
  open({ kind: 'chain', run: { sight: 'texts', usesPrivateValues: true, sharing: 'run' } })
  expect((await stored('product')).textContent).toContain('Catenary')
  expect(screen.queryByText(/warm and slow/)).toBeNull()
})
