import type { ImportReport, TestCase, TestSuite } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import { earlier } from '../prompt-runs/testing/open-execute-page.tsx'
import type { TestedText } from './case-dialog.tsx'
import { makeCase, makeSuite } from './testing/make-suite.ts'
import { TestsPage } from './tests-page.tsx'

const SUITES = 'GET /api/prompts/12/test-suites'
const GRADE = 'POST /api/test-suites/grade'
const RUNS = 'GET /api/prompts/12/executions?limit=20'
const IMPORT = 'POST /api/prompts/12/test-suites/import'

beforeEach(() => {
  // What jsdom lacks of a browser and menus ask for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  window.history.replaceState(null, '', '/prompts/12/tests')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Opening {
  suites?: TestSuite[]
  cases?: TestCase[]
  answers?: Parameters<typeof stubChainApi>[0]
  canEdit?: boolean
  tested?: TestedText
}

const TEXT: TestedText = { names: ['audience', 'notes'], takesInput: false }
const schema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
  },
}

function open({
  suites = [makeSuite()],
  cases = [makeCase()],
  answers = {},
  canEdit = true,
  tested = TEXT,
}: Opening = {}) {
  const own = suites.map((suite) => [`GET /api/test-suites/${suite.id}`, () => Response.json(suite)])
  const sent = stubChainApi({
    [SUITES]: () => Response.json(suites),
    ...Object.fromEntries(own),
    'GET /api/test-suites/3/cases': () => Response.json(cases),
    ...answers,
  })
  show(
    <TestsPage
      record={{ kind: 'prompt', id: 12 }}
      title="Launch mail"
      tested={tested}
      canEdit={canEdit}
      backHref="/execute/12"
    />,
  )
  return sent
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Tests of Launch mails' })).getAllByRole('listitem', {
    hidden: true,
  })
const dialog = () => within(screen.getByRole('dialog'))

test('a case is a row: its name, tags and values, and its assertions in words, and what is not run', async () => {
  const notRun = [{ path: ['assert', 2], reason: 'It runs code, which is not supported here', value: 'x' }]
  open({ cases: [makeCase({ notRun })] })
  const [row] = await rows()
  expect(row?.textContent).toContain('Engineers, tersetone')
  expect(row?.textContent).toContain('audience = engineers who skim')
  expect(row?.textContent).toContain('Has at most 140 words')
  expect(row?.textContent).toContain('Does not contain “delve” (ignore case)')
  expect(screen.getByText('1 not run')).toBeTruthy()
})

test('The form of an assertion keeps and sets the field that it looks at, and says when the schema has no such field.', async () => {
  const assertions = [{ type: 'contains', value: 'Roll', path: 'items[0].titel' } as const]
  const sent = open({
    tested: { ...TEXT, schema },
    cases: [makeCase({ assertions })],
    answers: { 'PATCH /api/test-suites/3/cases/7': () => Response.json(makeCase()) },
  })
  await rows()
  await press('Engineers, terse')
  const field = dialog().getByRole('textbox', { name: 'Field' })
  expect(field).toHaveProperty('value', 'items[0].titel')
  expect(dialog().getByText('items[0] has no field titel.')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, 'items[[0].title')
  expect(dialog().queryByText(/has no field/)).toBeNull()
  await press(/^Save Changes/)
  await waitFor(() => expect(writesOf(sent)).toHaveLength(1))
  expect(writesOf(sent)[0]?.body).toMatchObject({
    assertions: [{ type: 'contains', value: 'Roll', path: 'items[0].title' }],
  })
})

test('Of answers that are text, the form of an assertion asks for a field on demand.', async () => {
  const assertions = [{ type: 'contains', value: 'Roll' } as const, { type: 'cost', threshold: 1 } as const]
  open({ cases: [makeCase({ assertions })] })
  await rows()
  await press('Engineers, terse')
  expect(dialog().getAllByRole('button', { name: 'One field of it' })).toHaveLength(1)
  await press('One field of it')
  await userEvent.type(dialog().getByRole('textbox', { name: 'Field' }), 'no path')
  await press(/^Save Changes/)
  expect((await dialog().findByRole('alert')).textContent).toBe('Write it as items[0].title')
})

test('A test is a form with fitting fields.', async () => {
  const sent = open({
    answers: { 'PATCH /api/test-suites/3/cases/7': () => Response.json(makeCase()) },
  })
  await rows()
  await press('Engineers, terse')
  const most = dialog().getByRole('textbox', { name: 'Maximum words' })
  await userEvent.clear(most)
  await userEvent.type(most, '90')
  await userEvent.type(dialog().getByRole('textbox', { name: 'notes' }), 'v2')
  await userEvent.click(dialog().getByRole('button', { name: /Add assertion/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'takes at most' }))
  await userEvent.click(dialog().getByRole('button', { name: /^Save Changes/ }))
  expect(await dialog().findByText('Fill this in')).toBeTruthy()
  await userEvent.type(dialog().getByRole('textbox', { name: 'Milliseconds' }), '4000')
  const score = dialog().getByRole('textbox', { name: 'Passing score' })
  await userEvent.type(score, 'most')
  await userEvent.click(dialog().getByRole('button', { name: /^Save Changes/ }))
  expect(await dialog().findByText('The passing score is a number, such as 0.8')).toBeTruthy()
  await userEvent.clear(score)
  await userEvent.type(score, '0,8')
  await userEvent.click(dialog().getByRole('button', { name: /^Save Changes/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writesOf(sent)).toMatchObject([
    {
      body: {
        values: { audience: 'engineers who skim', notes: 'v2' },
        threshold: 0.8,
        assertions: [
          { type: 'word-count', value: { max: 90 } },
          { type: 'not-icontains', value: 'delve' },
          { type: 'latency', threshold: 4000 },
        ],
      },
    },
  ])
})

test('When someone else saved a test first, both states are shown.', async () => {
  const theirs = makeCase({ name: 'Engineers', assertions: [{ type: 'is-json' }], revision: 3 })
  const stale = () => Response.json({ error: 'This test was changed', details: theirs }, { status: 409 })
  const saves = [stale, () => Response.json(makeCase()), stale]
  const sent = open({ answers: { 'PATCH /api/test-suites/3/cases/7': saves } })
  await rows()
  const rename = async () => {
    await press('Engineers, terse')
    await userEvent.type(dialog().getByRole('textbox', { name: 'Name' }), ' and kind')
    await userEvent.click(dialog().getByRole('button', { name: /^Save Changes/ }))
    const panel = within(await dialog().findByRole('alert', { name: 'Conflicting changes' }))
    expect(panel.getByText('Engineers, terse and kind')).toBeTruthy()
    expect(panel.getByText('Is JSON')).toBeTruthy()
    return panel
  }
  await userEvent.click((await rename()).getByRole('button', { name: 'Keep mine and save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(writesOf(sent).map(({ body }) => body)).toMatchObject([
    { name: 'Engineers, terse and kind', revision: 2 },
    { name: 'Engineers, terse and kind', revision: 3 },
  ])
  await userEvent.click((await rename()).getByRole('button', { name: /^Use what/ }))
  expect(dialog().queryByRole('alert')).toBeNull()
  expect(dialog().getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Engineers')
  expect(dialog().queryByRole('textbox', { name: 'Maximum words' })).toBeNull()
})

test('A test can be tried on the last answer.', async () => {
  const result = { score: 0, weight: 1, metric: null }
  const grade = {
    ...{ verdict: 'failed', score: 0.5, reason: '151 words, at most 140', metrics: {}, notRun: 0 },
    results: [
      { ...result, type: 'word-count', passed: false, reason: '151 words, at most 140' },
      { ...result, type: 'not-icontains', passed: true, reason: 'It does not contain “delve”' },
    ],
  }
  const sent = open({
    answers: {
      [RUNS]: [() => Response.json([]), () => Response.json([earlier])],
      'GET /api/prompts/12/executions/11': () => Response.json(earlier),
      [GRADE]: () => Response.json(grade),
    },
  })
  await rows()
  await press('Engineers, terse')
  const tryIt = () => userEvent.click(dialog().getByRole('button', { name: 'Try it on the last answer' }))
  await tryIt()
  expect(await dialog().findByText('You have no answer from this prompt yet. Run it once.')).toBeTruthy()
  await tryIt()
  const results = within(await dialog().findByRole('region', { name: 'Assertions' })).getAllByRole('listitem')
  await waitFor(() => expect(results[0]?.textContent).toContain('Fails: 151 words, at most 140'))
  expect(results[1]?.textContent).toContain('Passes: It does not contain “delve”')
  expect(writesOf(sent)[0]?.body).toMatchObject({ answer: { text: 'Hi Grace.' }, threshold: null })
})

test('Files of tests are checked before they are imported.', async () => {
  const report: ImportReport = {
    ...{ name: 'Refunds', caseCount: 2, assertionCount: 3, notRunCount: 1, suite: null },
    notRun: [{ at: 'first: assert.1', reason: 'It runs code, which is not supported here' }],
  }
  const sent = open({
    suites: [],
    answers: {
      [IMPORT]: [() => Response.json(report), () => Response.json({ ...report, suite: makeSuite() })],
    },
  })
  await screen.findByText('No test suites yet')
  await press('Import a File')
  await userEvent.type(await screen.findByRole('textbox', { name: 'File' }), 'tests: x')
  await userEvent.click(screen.getByRole('button', { name: /^Check File/ }))
  expect(await screen.findByText(/2 tests with 3 assertions, and 1 thing that are kept/)).toBeTruthy()
  expect(screen.getByText('first: assert.1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Import Suite/ }))
  await waitFor(() => expect(window.location.search).toBe('?suite=3'))
  expect(writesOf(sent)).toMatchObject([
    { body: { format: 'promptfoo', text: 'tests: x', dryRun: true } },
    { body: { format: 'promptfoo', text: 'tests: x', dryRun: false } },
  ])
})

test('a test moves up in the order of its suite', async () => {
  const sent = open({
    cases: [makeCase(), makeCase({ id: 8, position: 1, name: 'Launch day' })],
    answers: { 'POST /api/test-suites/3/reorder-cases': () => new Response(null, { status: 204 }) },
  })
  await rows()
  await press('More: Launch day')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await waitFor(() => expect(writesOf(sent)).toMatchObject([{ body: { caseIds: [8, 7] } }]))
})

test('a person who may not change the prompt sees its tests, and no way to change them', async () => {
  open({ suites: [makeSuite({ canEdit: false })], canEdit: false })
  await rows()
  for (const name of ['New Suite', 'Import', 'New Test', 'More: Engineers, terse']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})
