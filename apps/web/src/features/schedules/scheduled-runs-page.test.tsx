import type { ScheduledRun } from '@catenary/contracts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setViewerTimeZone } from '../../lib/time-zone.ts'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import { ScheduledRunsPage } from './scheduled-runs-page.tsx'
import { makeOccurrence, makeSchedule } from './testing/make-schedule.ts'

const LIST = 'GET /api/chains/12/scheduled-runs'
const UPDATE = 'PATCH /api/scheduled-runs/5'

beforeEach(() => {
  // What jsdom lacks of a browser and toasts ask for.
  Element.prototype.hasPointerCapture = () => false
  window.history.replaceState(null, '', '/chains/12/scheduled')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:30Z') })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

interface Opening {
  runs?: ScheduledRun[]
  answers?: Parameters<typeof stubChainApi>[0]
  canSchedule?: boolean
  isKnown?: boolean
}

function open({ runs = [makeSchedule()], answers = {}, canSchedule = true, isKnown = true }: Opening = {}) {
  const mail = {
    isSetUp: true,
    recipients: 'any',
    domains: [],
    ownAddress: 'ada@example.org',
    ownAddressState: null,
  }
  const sent = stubChainApi({
    [LIST]: () => Response.json(runs),
    'GET /api/mail': () => Response.json(mail),
    ...answers,
  })
  show(
    <ScheduledRunsPage
      chainId={12}
      chain={
        isKnown
          ? { name: 'Monday digest', takesInput: false, releases: undefined, runVisibility: undefined }
          : undefined
      }
      canSchedule={canSchedule}
    />,
  )
  return sent
}

const items = async () =>
  within(await screen.findByRole('list', { name: 'Scheduled runs' })).getAllByRole('heading')
const fact = (name: string) => screen.getByText(name).nextSibling?.textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('/chains/{id}/scheduled is titled ‘{chain name} - Scheduled Runs’, or ‘Chain’ without a name, and shows Back to Chain, name, times, recipients, description and last run.', async () => {
  open()
  expect((await items()).map(({ textContent }) => textContent)).toEqual(['Digest for the team'])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Monday digest - Scheduled Runs')
  expect(screen.getByRole('link', { name: 'Back to Chain' }).getAttribute('href')).toBe('/chains/12')
  expect(screen.getByText('Weekly on Monday, Thursday')).toBeTruthy()
  expect(fact('Scheduled time')).toBe('Nov 2, 2026 7:00 AM (8:00 AM Europe/Berlin)')
  expect(fact('Next run')).toBe('Nov 23, 2026 7:00 AM (8:00 AM Europe/Berlin)')
  expect(fact('Last run')).toBe('Nov 19, 2026 7:00 AM (8:00 AM Europe/Berlin)2 days agocompleted')
  expect(fact('Email recipients')).toBe('team@example.org, ops@example.orgEmail: Sent')
  const last = within(screen.getByText('Last run').parentElement as HTMLElement).getByRole('link')
  expect(last.getAttribute('href')).toBe('/chains/12?history=open&run=218')
})

test('a person in the schedule’s own zone reads one clock, kept on this device for the next load', async () => {
  open()
  await items()
  expect(fact('Next run')).toBe('Nov 23, 2026 7:00 AM (8:00 AM Europe/Berlin)')
  act(() => setViewerTimeZone('Europe/Berlin'))
  expect(fact('Next run')).toBe('Nov 23, 2026 8:00 AM')
  expect(localStorage.getItem('catenary.time-zone')).toBe('Europe/Berlin')
  act(() => setViewerTimeZone(null))
  expect(localStorage.getItem('catenary.time-zone')).toBeNull()
})

test.each([
  [{ status: 'pending', active: true, emailStatus: null }, ['Active', 'pending', '', 'Email: Pending']],
  [{ status: 'pending', active: false, emailStatus: null }, ['Inactive', '', '', '']],
  [{ status: 'running', active: true, emailStatus: null }, ['Active', '', 'running', 'Email: In progress']],
  [{ status: 'failed', active: false, emailStatus: null }, ['Inactive', '', 'failed', 'Email: Not sent']],
  [{ status: 'completed', active: true, emailStatus: 'sent' }, ['Active', '', 'completed', 'Email: Sent']],
  [
    { status: 'completed', active: true, emailStatus: 'pending' },
    ['Active', '', 'completed', 'Email: Pending'],
  ],
  [
    { status: 'completed', active: true, emailStatus: 'failed' },
    ['Active', '', 'completed', 'Email: Failed'],
  ],
  [
    { status: 'skipped', active: true, recipientCount: 0, emailRecipients: [] },
    ['Active', '', 'skipped', undefined],
  ],
] as const)(
  'A schedule’s badge is Active or Inactive. Its status stands beside its run and, only where there are recipients, the mail’s: sent, pending, failed, else Pending, In progress, Not sent. (%o, %o)',
  async (fields, [badge, next, last, mail]) => {
    open({
      runs: [
        makeSchedule({
          ...fields,
          emailRecipients: [...(('emailRecipients' in fields && fields.emailRecipients) || [])],
        } as Partial<ScheduledRun>),
      ],
    })
    const [heading] = await items()
    expect(heading?.nextElementSibling?.textContent).toBe(badge)
    expect(heading?.parentElement?.children).toHaveLength(2)
    const stateIn = (name: string) =>
      /(pending|running|completed|failed|skipped|Email: .*)?$/.exec(fact(name) ?? '')?.[0]
    expect([stateIn('Next run'), stateIn('Last run')]).toEqual([next, last])
    expect(screen.queryByText('Email recipients') ? stateIn('Email recipients') : undefined).toBe(mail)
  },
)

test.each([
  [{ status: 'pending' }, false, /^Mail is not set up on this server.* Ask an administrator to set SMTP_URL/],
  [{ status: 'completed' }, false, /^Mail is not set up/],
  [{ status: 'pending' }, true, null],
  [{ status: 'missed' }, true, /^Not emailed: this schedule doesn’t email when a run is skipped or missed/],
  [
    {
      status: 'failed',
      occurrences: [makeOccurrence({ state: 'failed', reason: 'The run was stopped', emailStatus: null })],
    },
    true,
    /^Not emailed: The run was stopped\.$/,
  ],
  [{ status: 'completed' }, true, /^Not emailed: nobody was to be emailed, or mail was not set up/],
  [{ emailStatus: 'pending', emailReason: 'Too many messages' }, true, /^Email waits: Too many messages$/],
] as const)(
  'Where nothing was emailed, or nothing will be, a schedule says why. (%o, mail %s)',
  async (fields, isSetUp, words) => {
    const state = { recipients: 'any', domains: [], ownAddress: 'ada@example.org', ownAddressState: null }
    open({
      runs: [makeSchedule({ emailStatus: null, ...fields } as Partial<ScheduledRun>)],
      answers: { 'GET /api/mail': () => Response.json({ ...state, isSetUp }) },
    })
    await items()
    const said = () =>
      screen.queryAllByText(
        (_, element) =>
          element?.tagName === 'P' &&
          /^(Mail is not|Not emailed|Email waits)/.test(element.textContent ?? ''),
      )
    if (words !== null) await waitFor(() => expect(said()[0]?.textContent).toMatch(words))
    expect(said()).toHaveLength(words === null ? 0 : 1)
  },
)

test('A single run of a schedule is a line without a strip.', async () => {
  open({
    runs: [
      makeSchedule({ occurrences: [makeOccurrence({ reason: 'The run was stopped', state: 'failed' })] }),
    ],
  })
  await items()
  expect(screen.getByText(/failed: The run was stopped/)).toBeTruthy()
  expect(screen.queryByRole('slider')).toBeNull()
})

test('The last 30 runs of a schedule stand as marks, which show reason and mail; a click opens the run.', async () => {
  const runs = [
    makeSchedule({
      occurrences: [
        makeOccurrence({
          id: 1,
          state: 'missed',
          reason: 'The server was not running',
          executionId: null,
          emailStatus: null,
        }),
        makeOccurrence({
          id: 2,
          state: 'failed',
          reason: 'The model rests',
          emailStatus: 'failed',
          emailReason: 'No such mailbox',
        }),
        makeOccurrence({ id: 3, isManual: true, executionId: 219 }),
      ],
    }),
  ]
  open({ runs })
  const strip = await screen.findByRole('slider', {
    name: 'Last runs of Digest for the team: 1 missed, 1 failed, 1 completed',
  })
  const description = () => strip.getAttribute('aria-valuetext')
  const when = 'Nov 16, 2026 7:00 AM (8:00 AM Europe/Berlin)'
  expect(description()).toBe(`${when} · by Run Now · completed · mailed`)
  const link = () => screen.queryByRole('link', { name: /^Execution/ })?.getAttribute('href')
  expect(link()).toBe('/chains/12?history=open&run=219')
  fireEvent.change(strip, { target: { value: '1' } })
  expect(description()).toBe(`${when} · failed: The model rests · mail failed: No such mailbox`)
  expect(screen.getByText(description() ?? '')).toBeTruthy()
  fireEvent.change(strip, { target: { value: '0' } })
  expect(description()).toBe(`${when} · missed: The server was not running`)
  expect(link()).toBeUndefined()
  vi.spyOn(strip, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 90, 36))
  fireEvent.pointerMove(strip, { clientX: 145, pointerType: 'mouse' })
  expect(description()).toContain('failed: The model rests')
  fireEvent.pointerLeave(strip, { pointerType: 'mouse' })
  expect(description()).toContain('by Run Now')
})

test('A schedule’s card says whose mail waits (D61).', async () => {
  const recipients = [
    { address: 'team@example.org', state: 'ready' },
    { address: 'ada@example.org', state: 'asked' },
  ] as const
  open({ runs: [makeSchedule({ recipients: [...recipients] })] })
  expect(await screen.findByText('Email waits until ada@example.org is confirmed.')).toBeTruthy()
})

test('Run Now starts a run; ‘Failed to execute chain’ says that it could not.', async () => {
  const answers = [
    () => Response.json({ error: 'The chain has no steps' }, { status: 409 }),
    () => Response.json({ id: 300 }, { status: 201 }),
  ]
  const sent = open({ answers: { 'POST /api/scheduled-runs/5/execute': answers } })
  await items()
  await press('Run Now: Digest for the team')
  expect(await screen.findByText('Failed to execute chain')).toBeTruthy()
  expect(screen.getByText('409: The chain has no steps')).toBeTruthy()
  await press('Run Now: Digest for the team')
  expect(await screen.findByText('Chain execution started')).toBeTruthy()
  expect(sent.filter(({ key }) => key === LIST)).toHaveLength(2)
})

test('Activating and deactivating have Undo in the toast (D54).', async () => {
  let active = true
  const answer = () => Response.json(makeSchedule({ active }))
  const sent = open({
    answers: {
      [LIST]: () => Response.json([makeSchedule({ active })]),
      [UPDATE]: [
        () => {
          active = false
          return answer()
        },
        () => {
          active = true
          return answer()
        },
      ],
    },
  })
  await items()
  await press('Deactivate: Digest for the team')
  expect(await screen.findByText('Schedule deactivated')).toBeTruthy()
  expect(await screen.findByText('Inactive')).toBeTruthy()
  await press('Undo')
  expect(await screen.findByText('Active')).toBeTruthy()
  expect(writesOf(sent).map(({ body }) => body)).toEqual([{ active: false }, { active: true }])
})

test('Deleting a schedule asks ‘Are you sure?’, and says ‘Scheduled run deleted’ or ‘Failed to delete’.', async () => {
  const answers = [
    () => Response.json({ error: 'It rests' }, { status: 500 }),
    () => new Response(null, { status: 204 }),
  ]
  open({ answers: { 'DELETE /api/scheduled-runs/5': answers } })
  await items()
  const remove = async () => {
    await press('Delete: Digest for the team')
    const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
    question.getByText('This will permanently delete this scheduled run. This action cannot be undone.')
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  }
  await remove()
  expect(await screen.findByText('Failed to delete')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await remove()
  expect(await screen.findByText('Scheduled run deleted')).toBeTruthy()
})

test('Whoever did not create a schedule sees no addresses, and may deactivate and delete it (D55).', async () => {
  const foreign = makeSchedule({
    ...{
      isMine: false,
      createdBy: 'grace',
      emailRecipients: [],
      recipients: [],
      canEdit: false,
      canExecute: false,
    },
    pausedReason: 'Five runs in a row failed.',
  })
  const sent = open({
    runs: [foreign],
    answers: {
      [UPDATE]: () => Response.json({ ...foreign, active: false }),
      'DELETE /api/scheduled-runs/5': () => new Response(null, { status: 204 }),
    },
  })
  await items()
  expect(fact('Email recipients')).toBe('2 recipientsEmail: Sent')
  expect(screen.getByText(/runs latest as grace/)).toBeTruthy()
  expect(screen.getByRole('note').textContent).toBe('Five runs in a row failed.')
  expect(screen.queryByRole('button', { name: /^(Run Now|Edit)/ })).toBeNull()
  await press('Deactivate: Digest for the team')
  expect(await screen.findByText('Only grace can activate it again.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(writesOf(sent)).toHaveLength(1)
  await press('Delete: Digest for the team')
  const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  await userEvent.click(question.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Scheduled run deleted')).toBeTruthy()
  expect(writesOf(sent)).toHaveLength(2)
})

test('the address says which schedule is being edited; another’s can not be', async () => {
  open({ runs: [makeSchedule(), makeSchedule({ id: 6, name: 'Theirs', canEdit: false })] })
  await items()
  await press('Edit: Digest for the team')
  const editor = within(await screen.findByRole('dialog', { name: 'Edit Scheduled Run' }))
  expect(editor.getByLabelText('Name')).toHaveProperty('value', 'Digest for the team')
  expect(window.location.search).toBe('?schedule=5')
  await press('Cancel')
  await press('Schedule Run')
  expect(await screen.findByRole('dialog', { name: 'Schedule Chain Run' })).toBeTruthy()
  cleanup()
  window.history.replaceState(null, '', '/chains/12/scheduled?schedule=6')
  open({ runs: [makeSchedule({ id: 6, name: 'Theirs', canEdit: false })] })
  await items()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('‘No scheduled runs found’ with ‘Schedule a Run’ leads back to the chain; loading and errors show.', async () => {
  open({ runs: [], isKnown: false, canSchedule: false })
  expect(await screen.findByText('No scheduled runs found')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Chain - Scheduled Runs')
  expect(screen.getByRole('link', { name: 'Schedule a Run' }).getAttribute('href')).toBe(
    '/chains/12?schedule=new',
  )
  expect(screen.queryByRole('button', { name: 'Schedule Run' })).toBeNull()
  cleanup()
  const answers = [
    () => Response.json({ error: 'It rests' }, { status: 500 }),
    () =>
      Response.json([
        makeSchedule({ occurrences: [], lastRunAt: null, lastExecutionId: null, nextRunAt: null }),
      ]),
  ]
  open({ answers: { [LIST]: answers } })
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await items()
  expect(screen.getByText('No runs yet')).toBeTruthy()
  expect([fact('Last run'), fact('Next run')]).toEqual(['nevercompleted', 'no more'])
})
