import type { MailState, ScheduledRun } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setViewerTimeZone } from '../../lib/time-zone.ts'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import type { RunVisibility } from '../runs/run-visibility-note.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ASKING, MAIL } from './testing/mail-state.ts'
import { makeSchedule } from './testing/make-schedule.ts'

const [onClose, onShowAll] = [vi.fn(), vi.fn()]
const RELEASES = { latest: 7, labels: [{ label: 'production', version: 4 }] }
const SIGHT: RunVisibility = { owner: 'olga', sharedLevel: 'shared', runsVisibleTo: 'editors' }
const CREATE = 'POST /api/chains/12/schedule'
const UPDATE = 'PATCH /api/scheduled-runs/5'

beforeEach(() => {
  localStorage.clear()
  setViewerTimeZone('Europe/Berlin')
  // What jsdom lacks of a browser and toasts ask for.
  Element.prototype.hasPointerCapture = () => false
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:30Z') })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.clearAllMocks()
})

interface Opening {
  schedule?: ScheduledRun | null
  mail?: MailState
  takesInput?: boolean
  answers?: Parameters<typeof stubChainApi>[0]
}

async function openDialog({ schedule = null, mail = MAIL, takesInput = false, answers = {} }: Opening = {}) {
  const sent = stubChainApi({ 'GET /api/mail': () => Response.json(mail), ...answers })
  show(
    <ScheduleDialog
      chainId={12}
      chain={{ name: 'Monday digest', takesInput, releases: RELEASES, runVisibility: SIGHT }}
      schedule={schedule}
      timeZone="Europe/Berlin"
      userId={1}
      onShowAll={onShowAll}
      onClose={onClose}
    />,
  )
  const name = schedule ? 'Edit Scheduled Run' : 'Schedule Chain Run'
  const dialog = within(await screen.findByRole('dialog', { name }))
  const type = async (label: string | RegExp, text: string) => {
    await userEvent.clear(dialog.getByLabelText(label))
    if (text !== '') await userEvent.type(dialog.getByLabelText(label), text)
  }
  return {
    ...dialog,
    sent,
    type,
    press: (name: string) => userEvent.click(dialog.getByRole('radio', { name })),
    turn: (name: string) => userEvent.click(dialog.getByRole('switch', { name })),
    submit: () => userEvent.click(dialog.getByRole('button', { name: /^(Schedule Run|Save Changes)/ })),
    preview: () =>
      within(dialog.getByRole('region', { name: 'Next runs' }))
        .queryAllByRole('listitem')
        .map(({ textContent }) => textContent),
    words: () => within(dialog.getByRole('region', { name: 'Next runs' })).getByRole('status').textContent,
  }
}

test('a person who schedules another’s chain is told who sees its runs', async () => {
  const dialog = await openDialog()
  dialog.getByText(/^olga and this chain’s editors can see your runs/)
})

test('The form of a schedule says ‘Schedule time is required’ and ‘Invalid email address’, with the address; the earliest time is now.', async () => {
  const dialog = await openDialog()
  const time = dialog.getByLabelText('Schedule time')
  expect(time.getAttribute('min')).toBe('2026-11-21T11:00')
  expect(dialog.words()).toBe('Choose a time to see when it runs.')
  await dialog.submit()
  expect(await dialog.findByText('Schedule time is required')).toBeTruthy()
  expect(document.activeElement).toBe(time)
  await dialog.type('Schedule time', '2026-11-21T10:59')
  expect(await dialog.findByText('Choose a time in the future')).toBeTruthy()
  expect(dialog.words()).toBe('One-time: it has no future times.')
  await dialog.type('Email recipients', 'nobody')
  expect(await dialog.findByText('Invalid email address')).toBeTruthy()
  await dialog.type('Email recipients', 'team@example.org, , nobody')
  expect((await dialog.findByText('Invalid email address')).nextSibling?.textContent).toBe('nobody')
  expect(writesOf(dialog.sent)).toEqual([])
})

test('Recipients are separated by commas, trimmed, and empty ones dropped. Active is on at first, recurring off; the toast is ‘Run scheduled’.', async () => {
  const saved = makeSchedule({ nextRunAt: '2026-11-23T07:00:00.000Z' })
  const dialog = await openDialog({ answers: { [CREATE]: () => Response.json(saved, { status: 201 }) } })
  expect(dialog.queryByRole('radiogroup', { name: 'How often' })).toBeNull()
  await dialog.type('Schedule time', '2026-11-23T08:00')
  expect(dialog.words()).toBe('One-time')
  expect(dialog.preview()).toEqual(['Mon, Nov 23 · 8:00 AMin 1 day, 21 hours'])
  await dialog.type('Email recipients', ' team@example.org ,, ops@example.org,')
  await dialog.submit()
  expect(await screen.findByText('Run scheduled')).toBeTruthy()
  expect(screen.getByText('It runs next Nov 23, 2026 8:00 AM.')).toBeTruthy()
  expect(writesOf(dialog.sent)).toEqual([
    {
      key: CREATE,
      body: {
        ...{
          scheduledTime: '2026-11-23T08:00',
          timeZone: 'Europe/Berlin',
          name: '',
          chainLabel: null,
          input: '',
          active: true,
        },
        ...{ isRecurring: false, recurringType: null, recurringDaysOfWeek: [], recurringDayOfMonth: null },
        ...{ cron: null, emailRecipients: ['team@example.org', 'ops@example.org'], mailsSkipped: false },
        failuresBeforePause: 5,
      },
    },
  ])
  expect(onClose).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Scheduled Runs', hidden: true }))
  expect(onShowAll).toHaveBeenCalledOnce()
})

test('The kind of recurrence shows only when recurring is on: weekdays, day of the month, hourly, or a cron line, with the next five times (D34, D55).', async () => {
  const dialog = await openDialog({ answers: { [CREATE]: () => Response.json(makeSchedule()) } })
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.turn('Recurring')
  expect(dialog.words()).toBe('Daily at 8:00 AM')
  await dialog.press('Weekly')
  expect(dialog.words()).toBe('Weekly on Monday at 8:00 AM')
  const days = within(dialog.getByRole('toolbar', { name: 'Days of the week' }))
  await userEvent.click(days.getByRole('button', { name: 'Thursday' }))
  await userEvent.click(days.getByRole('button', { name: 'Monday' }))
  expect(dialog.words()).toBe('Weekly on Monday, Thursday at 8:00 AM')
  expect(dialog.preview()).toEqual([
    'Mon, Nov 23 · 8:00 AMin 1 day, 21 hours',
    'Thu, Nov 26 · 8:00 AMin 4 days',
    'Mon, Nov 30 · 8:00 AMin 8 days',
    'Thu, Dec 3 · 8:00 AMin 11 days',
    'Mon, Dec 7 · 8:00 AMin 15 days',
  ])
  await dialog.submit()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({
    ...{ isRecurring: true, recurringType: 'weekly', recurringDaysOfWeek: [1, 4], recurringDayOfMonth: null },
  })
})

test('a day of the month is one from 1 to 31, the last in shorter months', async () => {
  const dialog = await openDialog({ answers: { [CREATE]: () => Response.json(makeSchedule()) } })
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.turn('Recurring')
  await dialog.press('Monthly')
  expect(dialog.words()).toBe('Monthly on day 23 at 8:00 AM')
  await dialog.type('Day of the month', '32')
  await dialog.submit()
  expect(await dialog.findByText('Must be a day from 1 to 31')).toBeTruthy()
  await dialog.type('Day of the month', '31')
  expect(dialog.preview().slice(0, 2)).toEqual([
    'Mon, Nov 30 · 8:00 AMin 8 days',
    'Thu, Dec 31 · 8:00 AMin 39 days',
  ])
  expect(dialog.preview()[3]).toMatch(/^Sun, Feb 28, 2027 · 8:00 AM/)
  await dialog.submit()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({ recurringType: 'monthly', recurringDayOfMonth: 31 })
})

test('a line of five fields is explained, and refused where it is none', async () => {
  const dialog = await openDialog({ answers: { [CREATE]: () => Response.json(makeSchedule()) } })
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.turn('Recurring')
  await dialog.press('Hourly')
  expect(dialog.preview()[1]).toMatch(/^Mon, Nov 23 · 9:00 AM/)
  await dialog.press('Cron')
  expect(dialog.words()).toBe('Enter a five-field cron expression to see when it runs.')
  await dialog.submit()
  expect(await dialog.findByText(/five fields/i, { selector: '[role=alert]' })).toBeTruthy()
  await dialog.type('Cron expression', '61 8 * * *')
  await dialog.submit()
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toMatch(/61|range/i))
  await dialog.type('Cron expression', '30 8 * * 1-5')
  expect(dialog.words()).toMatch(/^Custom recurring: .*08:30.*Monday through Friday/)
  await dialog.submit()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({ recurringType: 'cron', cron: '30 8 * * 1-5' })
})

test('Without `SMTP_URL` the form says that mail is not set up, and who is mailed only after agreeing (D36, D58).', async () => {
  const off = await openDialog({ mail: { ...MAIL, isSetUp: false } })
  expect((await off.findByRole('note')).textContent).toContain('Mail is not set up on this server')
  cleanup()
  const asks = await openDialog({ mail: ASKING })
  expect(
    await asks.findByText(
      'Results go at once to ada@example.org, anyone at corp.example. Any other address is asked by email first, and gets results once its owner agrees.',
    ),
  ).toBeTruthy()
  expect(asks.queryByRole('switch', { name: /skipped or missed/ })).toBeNull()
  await asks.type('Email recipients', 'team@example.org')
  expect(asks.getByRole('switch', { name: /skipped or missed/ }).getAttribute('aria-checked')).toBe('false')
})

test('A schedule takes a name, a zone, the run’s input where a step uses it, and how many failures pause it.', async () => {
  const without = await openDialog()
  expect(without.queryByLabelText('Input')).toBeNull()
  cleanup()
  const dialog = await openDialog({
    takesInput: true,
    answers: { [CREATE]: () => Response.json(makeSchedule()) },
  })
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.type('Input', 'The bridges of Prague')
  await dialog.type('Name', ' Bridges ')
  await dialog.type('Pause after consecutive failures', '0')
  await dialog.submit()
  expect(await dialog.findByText('Must be at least 1')).toBeTruthy()
  await dialog.type('Pause after consecutive failures', '')
  expect(dialog.getByText('It never pauses by itself.')).toBeTruthy()
  await dialog.turn('Active')
  await dialog.submit()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({
    ...{ input: 'The bridges of Prague', name: 'Bridges', failuresBeforePause: null, active: false },
  })
})

test('Schedules choose what runs, and their rows say it.', async () => {
  Element.prototype.scrollIntoView = () => undefined
  const dialog = await openDialog({ answers: { [CREATE]: () => Response.json(makeSchedule()) } })
  expect(dialog.getByLabelText('Runs').textContent).toBe('latest · version 7')
  expect(dialog.getByText('Each run uses the chain as it is at that time.')).toBeTruthy()
  await userEvent.click(dialog.getByLabelText('Runs'))
  const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(names).toEqual(['latest · version 7', 'production · version 4'])
  await userEvent.click(screen.getByRole('option', { name: 'production · version 4' }))
  expect(dialog.getByText('Each run uses the version that production is on at that time.')).toBeTruthy()
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.submit()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({ chainLabel: 'production' })
  cleanup()
  const gone = await openDialog({ schedule: makeSchedule({ chainLabel: 'beta' }) })
  expect(gone.getByLabelText('Runs').textContent).toBe('beta')
  expect(gone.getByText('The label beta no longer exists. Choose another.')).toBeTruthy()
})

test('‘Failed to schedule run’ is said, and what is wrong at its field.', async () => {
  const details = [{ path: 'emailRecipients.0', message: 'This address asked for no more mail' }]
  const refuse = () => Response.json({ error: 'Not allowed', details }, { status: 400 })
  const dialog = await openDialog({ answers: { [CREATE]: refuse } })
  await dialog.type('Schedule time', '2026-11-23T08:00')
  await dialog.submit()
  expect(await screen.findByText('Failed to schedule run')).toBeTruthy()
  expect(screen.getByText('400: Not allowed')).toBeTruthy()
  expect(dialog.getByText('This address asked for no more mail')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

test('a stored schedule is shown by its own clock, and saved over the revision that was seen', async () => {
  const recipients: ScheduledRun['recipients'] = [
    { address: 'team@example.org', state: 'asked' },
    { address: 'ops@example.org', state: 'refused' },
  ]
  const schedule = makeSchedule({ recipients, timeZone: 'Asia/Kolkata' })
  const theirs = makeSchedule({ name: 'Theirs', timeZone: 'Asia/Kolkata', revision: 4 })
  const saves = [
    () => Response.json({ error: 'Changed', details: theirs }, { status: 409 }),
    () => Response.json({ ...schedule, revision: 5 }),
  ]
  const dialog = await openDialog({ schedule, answers: { [UPDATE]: saves } })
  expect(dialog.getByLabelText('First run')).toHaveProperty('value', '2026-11-02T12:30')
  expect(dialog.getByLabelText('Email recipients')).toHaveProperty(
    'value',
    'team@example.org, ops@example.org',
  )
  const unsettled = within(dialog.getByRole('list', { name: 'Recipients without mail' })).getAllByRole(
    'listitem',
  )
  expect(unsettled.map(({ textContent }) => textContent)).toEqual([
    'team@example.org was asked by email and hasn’t agreed yet.',
    'ops@example.org asked for no more email.',
  ])
  await dialog.type('Name', 'Mine')
  await dialog.submit()
  expect(await dialog.findByLabelText('Name: Saved now')).toHaveProperty('value', 'Theirs')
  await userEvent.click(dialog.getByRole('button', { name: 'Keep mine and save' }))
  expect(await screen.findByText('Schedule updated')).toBeTruthy()
  expect(writesOf(dialog.sent).map(({ body }) => body)).toMatchObject([
    { name: 'Mine', revision: 3, recurringDaysOfWeek: [1, 4] },
    { name: 'Mine', revision: 4 },
  ])
})
