import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../chains/testing/show.tsx'
import { stubChainApi, writesOf } from '../chains/testing/stub-chain-api.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { ScheduledRunsPage } from './scheduled-runs-page.tsx'
import { MAIL } from './testing/mail-state.ts'
import { makeSchedule } from './testing/make-schedule.ts'

const UPDATE = 'PATCH /api/scheduled-runs/5'
const ASKED = { kind: 'chain', id: 12, name: 'openai_key', title: 'Monday digest', by: 'olga' } as const
const HELD = { kind: 'chain', id: 12, name: 'openai_key' } as const
const ASK = {
  ...{ destination: 'ask: ana#7', chainId: 12, position: 2, title: 'Approve', kind: 'ask' as const },
  ...{ people: ['ana'], groups: [], role: null },
}
const chain = { name: 'Monday digest', takesInput: false, releases: undefined, runVisibility: undefined }

beforeEach(() => {
  localStorage.clear()
  // What jsdom lacks of a browser and toasts ask for.
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the form says which private values it fills in, and takes a name off that another brought in', async () => {
  const schedule = makeSchedule({ fills: [HELD] })
  const sent = stubChainApi({
    'GET /api/mail': () => Response.json(MAIL),
    'POST /api/private-names': () => Response.json({ fills: [ASKED], own: ['client'] }),
    [UPDATE]: () => Response.json(makeSchedule()),
  })
  show(
    <ScheduleDialog
      {...{ chainId: 12, chain, schedule, timeZone: 'Europe/Berlin', userId: 1 }}
      onShowAll={() => undefined}
      onClose={() => undefined}
    />,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Scheduled Run' }))
  const line = within(await dialog.findByRole('region', { name: 'Private values' }))
  expect(line.getByText(/^Fills/).textContent).toBe('Fills in your private variables client, openai_key')
  line.getByText('· olga brought this name into the text.')
  await userEvent.click(line.getByRole('checkbox', { name: /^openai_key in “Monday digest”/ }))
  expect(line.getByText(/^Fills/).textContent).toBe('Fills in your private variable client')
  await userEvent.click(dialog.getByRole('button', { name: /^Save Changes/ }))
  await waitFor(() => expect(writesOf(sent)).toMatchObject([{ key: UPDATE, body: { fills: [] } }]))
})

test('a private name that came later stands with the schedule, and is allowed in one press', async () => {
  const before = { kind: 'chain', id: 12, name: 'client' } as const
  const sent = stubChainApi({
    'GET /api/chains/12/scheduled-runs': () =>
      Response.json([makeSchedule({ fills: [before], asksToFill: [ASKED] })]),
    [UPDATE]: () => Response.json(makeSchedule()),
  })
  show(<ScheduledRunsPage chainId={12} chain={chain} canSchedule />)
  const note = await screen.findByRole('note', { name: 'Private values' })
  expect(note.textContent).toContain('Not filled in: openai_key in “Monday digest”, brought in by olga.')
  await userEvent.click(within(note).getByRole('button', { name: /^Allow / }))
  await waitFor(() => expect(writesOf(sent)).toEqual([{ key: UPDATE, body: { fills: [before, HELD] } }]))
})

test('the form lists who would see private values, and what is ticked is kept', async () => {
  const other = { chainId: 12, destination: 'ask: leaver#3' }
  const schedule = makeSchedule({ sends: [other] })
  const sent = stubChainApi({
    'GET /api/mail': () => Response.json(MAIL),
    'POST /api/private-names': () => Response.json({ fills: [], own: [] }),
    'GET /api/chains/12/sends': () => Response.json([{ ...ASK, isConfirmed: true }]),
    [UPDATE]: () => Response.json(makeSchedule()),
  })
  show(
    <ScheduleDialog
      {...{ chainId: 12, chain, schedule, timeZone: 'Europe/Berlin', userId: 1 }}
      onShowAll={() => undefined}
      onClose={() => undefined}
    />,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Scheduled Run' }))
  const place = await dialog.findByRole<HTMLInputElement>('checkbox', { name: /^ana/ })
  expect(place.checked).toBe(false)
  await userEvent.click(place)
  await userEvent.click(dialog.getByRole('button', { name: /^Save Changes/ }))
  const kept = [other, { chainId: 12, destination: ASK.destination }]
  await waitFor(() => expect(writesOf(sent)).toMatchObject([{ key: UPDATE, body: { sends: kept } }]))
})

test('where runs stop, as people would see private values, stands with the schedule, and is allowed in one press', async () => {
  const before = { chainId: 12, destination: 'ask: ines#2' }
  const sent = stubChainApi({
    'GET /api/chains/12/scheduled-runs': () =>
      Response.json([makeSchedule({ sends: [before], asksToSend: [ASK], asksToFill: [ASKED] })]),
    [UPDATE]: () => Response.json(makeSchedule()),
  })
  show(<ScheduledRunsPage chainId={12} chain={chain} canSchedule />)
  const note = await screen.findByRole('note', { name: 'Private values' })
  expect(note.textContent).toContain('Runs stop at “Approve”: it would show your private values to ana.')
  await userEvent.click(within(note).getByRole('button', { name: /^Allow / }))
  const sends = [before, { chainId: 12, destination: ASK.destination }]
  await waitFor(() => expect(writesOf(sent)).toEqual([{ key: UPDATE, body: { fills: [HELD], sends } }]))
})
