import type { GateState, LabelDependants, LabelMove, MovedLabels } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../testing/make-prompt.ts'
import { openPromptDialog } from './testing/open-prompt-dialog.tsx'
import { stubApi } from './testing/stub-api.ts'
import { makeLabels, makeVersion } from './testing/versions-of.ts'

const prompt = makePrompt({ title: 'Launch mail', content: 'three', version: 3 })
const versions = [
  makeVersion({ number: 3, content: 'three', note: 'First-day change' }),
  makeVersion({ number: 2, content: 'two' }),
  makeVersion({ number: 1, content: 'one', note: 'Three facts' }),
]
const PATH = '/api/prompts/7'
const MOVE = `PUT ${PATH}/labels/production`
const nobody: LabelDependants = { chains: [], schedules: [], tokens: [], readTokens: [], hidden: 0 }
const open: GateState = { needsSuite: false, passed: true, suites: [], canOverride: true }
const suite = {
  suiteId: 4,
  name: 'Launch mails',
  evaluationId: 31,
  failing: [
    { caseName: 'German audience', target: 'claude', reason: 'answers in English' },
    { caseName: 'German audience', target: 'openai', reason: 'answers in English' },
    { caseName: 'Empty release notes', target: 'claude', reason: 'invents a number' },
  ],
}
const closed: GateState = { needsSuite: true, passed: false, suites: [suite], canOverride: true }
const onOne = makeLabels({ production: 1 })
const moved: MovedLabels = { ...makeLabels({ production: 3 }), moveId: 9, links: [] }

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function stubVersions(answers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({
    [`GET ${PATH}/versions`]: () => Response.json(versions),
    [`GET ${PATH}/labels`]: () => Response.json(onOne),
    'GET /api/usage/versions?promptId=7': () =>
      Response.json([{ version: 1, runs: 1_904, medianMs: 900, costUsd: 3.0464 }]),
    'GET /api/evaluations/versions?promptId=7': () => Response.json([{ version: 1, cells: 9, passed: 8 }]),
    [`GET ${PATH}/label-moves?label=production&limit=1`]: () =>
      Response.json([makeMove()], { headers: { 'x-total-count': '3' } }),
    [`GET ${PATH}/labels/production/dependants`]: () => Response.json(nobody),
    [`GET ${PATH}/labels/production/gate?version=3`]: () => Response.json(open),
    ...answers,
  })
}

function makeMove(fields: Partial<LabelMove> = {}): LabelMove {
  return {
    id: 8,
    label: 'production',
    fromVersion: 2,
    toVersion: 1,
    movedBy: 'ines',
    movedAt: '2026-05-03T10:00:00.000Z',
    reason: '',
    override: false,
    evaluationId: null,
    ...fields,
  }
}

/** Opens the versions, chooses one and what its menu of labels offers. */
async function choose(version: number, item: string | RegExp) {
  await openVersions()
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^Version ${version} `) }))
  await userEvent.click(await screen.findByRole('button', { name: 'Labels' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

async function openVersions() {
  await openPromptDialog({ prompt, onClose: () => undefined })
  await userEvent.click(screen.getByRole('button', { name: '3 versions' }))
}

async function openMove() {
  await choose(3, /^Move production here/)
  return within(await screen.findByRole('dialog', { name: /^Move production/ }))
}

const movesOf = (sent: ReturnType<typeof stubApi>) =>
  sent.filter(({ key }) => key === MOVE).map(({ body }) => body)

test('The rail of versions shows number, note, author, time, metrics, passed tests, labels, and how often production moved.', async () => {
  stubVersions()
  await openVersions()
  const first = await screen.findByRole('radio', { name: /^Version 1 / })
  await within(first).findByText('production')
  expect(first.textContent).toMatch(/Three facts.*production.*ada · .*1,904 runs8 of 9 pass\$0.0016 a run/)
  expect(screen.getByRole('radio', { name: /^Version 2 / }).textContent).toMatch(/not tested$/)
  expect(screen.getByRole('radio', { name: /^Version 3 Current.*First-day change/ })).toBeTruthy()
  expect(await screen.findByText(/^production moved 3 times, last May 3/)).toBeTruthy()
})

test('One dialog, ‘Move production 4 → 7’, shows the diff and what uses the label, and takes a reason. Its toast has Undo.', async () => {
  const undo = `POST ${PATH}/label-moves/9/undo`
  const sent = stubVersions({
    [MOVE]: () => Response.json(moved),
    [undo]: () => Response.json({ ...onOne, moveId: 10, links: [] }),
    [`GET ${PATH}/labels/production/dependants`]: () =>
      Response.json({
        chains: [
          { id: 5, name: 'Monday digest', version: null, position: 2, title: 'Write' },
          { id: 6, name: 'Release', version: 4, position: 1, title: '' },
        ],
        schedules: [],
        readTokens: [{ id: 5, name: 'Mail service', lastUsed: null }],
        tokens: [{ id: 2, name: 'Helpdesk', lastUsed: '2026-05-03T10:00:00.000Z' }],
        hidden: 1,
      } satisfies LabelDependants),
  })
  const dialog = await openMove()
  expect(screen.getByRole('dialog', { name: 'Move production 1 → 3' })).toBeTruthy()
  const difference = dialog.getByRole('region', { name: 'What changes' })
  await within(difference).findAllByRole('textbox')
  expect(difference.textContent).toMatch(/Version 1.*Version 3 \(current\)/)
  const asking = await dialog.findByRole('region', { name: 'What uses production' })
  await within(asking).findByText('2 chains')
  expect(asking.textContent).toMatch(
    /Monday digest, step 3Release, version 4, step 2.*1 tokenHelpdesklast call.*1 read tokenMail service.*One more that you can’t see/,
  )
  await userEvent.type(dialog.getByLabelText('Reason'), ' reads better ')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('production is on version 3')
  const body = { version: 3, expectedVersion: 1, reason: 'reads better', override: false }
  expect(movesOf(sent)).toEqual([body])
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Move/ })).toBeNull())
  // The dialog behind hides the toast from assistive technology.
  fireEvent.click(screen.getByRole('button', { name: 'Undo', hidden: true }))
  await screen.findByText('It is on version 1 again.')
  expect(sent.at(-1)?.key).toBe(undo)
})

test('If someone else moved it in the meantime, the dialog says who, and shows the new state.', async () => {
  const byInes = makeLabels({ production: 2 })
  const refuse = () =>
    Response.json(
      { error: 'Moved', details: { code: 'LABEL_MOVED', label: 'production', version: 2 } },
      { status: 409 },
    )
  const sent = stubVersions({
    [MOVE]: [refuse, () => Response.json(moved)],
    [`GET ${PATH}/labels`]: [() => Response.json(onOne), () => Response.json(byInes)],
  })
  const dialog = await openMove()
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  expect(await dialog.findByText(/^ines has since moved it to 2/)).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'Move production 2 → 3' })).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  await screen.findByText('production is on version 3')
  expect(movesOf(sent)).toMatchObject([{ expectedVersion: 1 }, { expectedVersion: 2 }])
})

test('The dialog shows the failing results with their evaluation. An override needs a reason and the right.', async () => {
  const sent = stubVersions({
    [`GET ${PATH}/labels/production/gate?version=3`]: () => Response.json(closed),
    [MOVE]: () => Response.json(moved),
  })
  const dialog = await openMove()
  await dialog.findByText('Launch mails: 2 tests fail on 3.')
  expect(dialog.getByText(/Failing: German audience, Empty release notes\.$/)).toBeTruthy()
  const link = dialog.getByRole('link', { name: 'Open evaluation' })
  expect(link.getAttribute('href')).toBe('/evaluations/31')
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^Say why/)
  expect(movesOf(sent)).toEqual([])
  await userEvent.type(dialog.getByLabelText('Reason'), 'No German readers yet')
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  await screen.findByText('production is on version 3')
  expect(movesOf(sent)).toMatchObject([{ override: true, reason: 'No German readers yet' }])
})

test('a person who may not pass a closed gate can’t try, even if it closed only at the move', async () => {
  const { suites } = closed
  const details = { code: 'GATE_CLOSED', suites, canOverride: false }
  stubVersions({ [MOVE]: () => Response.json({ error: 'Closed', details }, { status: 409 }) })
  const dialog = await openMove()
  await userEvent.click(dialog.getByRole('button', { name: /^Move/ }))
  await dialog.findByText(/^Ask its owner or an administrator/)
  expect(dialog.getByRole('button', { name: /^Move/ })).toHaveProperty('disabled', true)
})

test('Labels are created and protected on the screen.', async () => {
  const rule = { label: 'production', whoMayMove: 'admins', needsSuite: false } as const
  const labels = makeLabels(
    { production: 1 },
    { protected: [{ ...rule, canMove: false, canOverride: false }] },
  )
  const put = `PUT ${PATH}/labels/beta`
  const sent = stubVersions({
    [`GET ${PATH}/labels`]: () => Response.json(labels),
    [put]: () => Response.json(moved),
  })
  await choose(3, 'New label')
  const dialog = within(await screen.findByRole('dialog', { name: 'New label on version 3' }))
  const name = dialog.getByLabelText('Label')
  for (const [text, refusal] of [
    ['production', /^production is on version 1/],
    ['latest', /always the newest/],
    ['Beta', /begins with a letter/],
  ] as const) {
    await userEvent.clear(name)
    await userEvent.type(name, text)
    await userEvent.click(dialog.getByRole('button', { name: /^Put/ }))
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toMatch(refusal))
  }
  await userEvent.clear(name)
  await userEvent.type(name, 'beta')
  await userEvent.click(dialog.getByRole('button', { name: /^Put/ }))
  await screen.findByText('beta is on version 3')
  expect(sent).toMatchObject([{ key: put, body: { version: 3, expectedVersion: null } }])
  await userEvent.click(screen.getByRole('button', { name: 'Labels' }))
  const item = await screen.findByRole('menuitem', { name: /^Move production here/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(item.textContent).toContain('for administrators')
})

test('Labels are removed on the screen after a question.', async () => {
  const remove = `DELETE ${PATH}/labels/production?expectedVersion=1`
  const sent = stubVersions({ [remove]: () => Response.json({ ...makeLabels(), moveId: 11, links: [] }) })
  await choose(1, 'Remove production')
  const question = within(await screen.findByRole('alertdialog', { name: /^Remove production from/ }))
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  await screen.findByText('production removed')
  expect(sent.map(({ key }) => key)).toEqual([remove])
})

test('The label history shows moves with their reasons, can undo them, and says what was live at a moment.', async () => {
  const undo = `POST ${PATH}/label-moves/8/undo`
  const at = new Date('2026-05-02T14:03').toISOString()
  const sent = stubVersions({
    [`GET ${PATH}/label-moves`]: () =>
      Response.json([
        makeMove({ reason: 'Notes are never empty', override: true }),
        makeMove({ id: 7, fromVersion: null, toVersion: 2 }),
      ]),
    [`GET ${PATH}/label-moves?${new URLSearchParams({ at })}`]: () =>
      Response.json([makeMove({ id: 7, fromVersion: null, toVersion: 2 })]),
    [undo]: () => Response.json({ ...makeLabels({ production: 2 }), moveId: 12, links: [] }),
  })
  await openVersions()
  await userEvent.click(await screen.findByRole('button', { name: /^production moved/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Label history' }))
  const rows = (await dialog.findAllByRole('listitem')).map((row) => row.textContent)
  expect(rows[0]).toMatch(/^production2 → 1tests failed at the timeNotes are never emptyines · /)
  expect(rows[1]).toMatch(/^productionput on 2ines · /)
  await userEvent.type(dialog.getByLabelText('Live at'), '2026-05-02T14:03')
  await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('production version 2'))
  expect(dialog.getAllByRole('button', { name: /^Undo/ })).toHaveLength(1)
  await userEvent.click(dialog.getByRole('button', { name: /^Undo/ }))
  await screen.findByText('It is on version 2 again.')
  expect(sent.map(({ key }) => key)).toEqual([undo])
})

test('A version’s note can be rewritten later.', async () => {
  const patch = `PATCH ${PATH}/versions/1`
  const sent = stubVersions({ [patch]: () => Response.json(versions[2]) })
  await choose(1, 'Edit note')
  const note = await screen.findByLabelText('Note')
  expect(note).toHaveProperty('value', 'Three facts')
  await userEvent.type(note, ', not five')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Note saved')
  expect(sent).toEqual([{ key: patch, body: { note: 'Three facts, not five' } }])
})
