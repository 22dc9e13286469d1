import type { AdminNotices, BackupCopy, BackupDrill, BackupsState } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import BackupsPanel from './backups-panel.tsx'

const drill: BackupDrill = {
  ...{ state: 'proven', at: '2026-11-24T02:12:00.000Z', ms: 7_512, restoreMs: 6_104, rows: 41_208 },
  stages: [
    { name: 'opened', ms: 412, found: '214 of 214 checksums match' },
    { name: 'counted', ms: 3_611, found: '41,208 rows match its manifest' },
    { name: 'migrated', ms: 2_081, found: 'schema 61, nothing to do' },
    { name: 'ran', ms: 1_408, found: 'Monday digest, in the sandbox' },
  ],
  problem: null,
}
const copy: BackupCopy = {
  ...{ id: 7, name: 'a.catenary', takenAt: '2026-11-24T02:00:00.000Z', reason: 'daily', state: 'kept' },
  ...{ bytes: 24_600_000, program: '1.0.14', schema: 61, rows: 41_208, problem: null, log: null, drill },
}
const state: BackupsState = {
  place: { directory: '/backups', freeBytes: 212_000_000_000, isOtherDisk: true, problem: null },
  database: { kind: 'embedded', bytes: 61_300_000 },
  ...{ time: '03:00', timeZone: 'Europe/Berlin', hasCommand: false, toldByMail: ['maren'] },
  keyFingerprint: `7f3ac9${'0'.repeat(54)}04be`,
  underWay: null,
  copies: [copy],
  nights: [
    { at: '2026-11-22T02:00:00.000Z', bytes: 24_000_000 },
    { at: '2026-11-23T02:00:00.000Z', bytes: null },
    { at: '2026-11-24T02:00:00.000Z', bytes: 24_600_000 },
  ],
}

const nothing = { schedules: 0, mails: 0, jobs: 0, runs: 0 }
const notices: AdminNotices = { quiet: null, awaitsStart: false, backup: null }

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
function show(shown: Partial<BackupsState>, replies: Record<string, unknown> = {}) {
  vi.stubGlobal('fetch', network)
  const all: Record<string, unknown> = {
    'GET /api/admin/notices': notices,
    'GET /api/admin/backups': { ...state, ...shown },
    ...replies,
  }
  network.mockImplementation(async (path, init) => Response.json(all[`${init?.method ?? 'GET'} ${path}`]))
  const client = createQueryClient()
  render(
    <QueryClientProvider client={client}>
      <BackupsPanel />
    </QueryClientProvider>,
  )
  return client
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T09:00:00.000Z') })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  network.mockReset()
})

test('what was proven is said in one sentence, with its stages, the nights and the key', async () => {
  show({})
  expect((await screen.findByRole('heading', { name: /^Proven restorable/ })).textContent).toBe(
    'Proven restorable, 2:12 AM today',
  )
  expect(screen.getByText(/It took 7.5 s; a restore takes about 6.1 s/)).toBeTruthy()
  for (const { found } of drill.stages) expect(screen.getByText(found)).toBeTruthy()
  expect(screen.getByText(/^2 of 3 nightly copies/)).toBeTruthy()
  expect(screen.getByText('SHA-256 7f:3a:c9 … 04:be')).toBeTruthy()
  for (const name of [/^Download\s*the newest copy$/, `Download the copy of ${copy.takenAt}`]) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/api/admin/backups/7/file')
  }
})

test('a drill that failed is said before all else, with where and why', async () => {
  const [opened] = drill.stages
  const problem = 'Its table users has 3 rows instead of 4'
  const failed: BackupDrill = { ...drill, state: 'failed', stages: opened ? [opened] : [], problem }
  const before = { ...copy, id: 6, takenAt: '2026-11-23T02:00:00.000Z' }
  show({ copies: [{ ...copy, drill: failed }, before] })
  const heading = await screen.findByRole('heading', { name: /^Not restorable/ })
  expect(heading.textContent).toContain('doesn’t match its manifest')
  expect(screen.getAllByText(problem, { exact: false })).toBeTruthy()
  expect(screen.getByText(/^The newest proven copy/).textContent).toContain('2:00 AM yesterday')
  expect(screen.getByText('It doesn’t match its manifest')).toBeTruthy()
})

test('without a copy, without a folder, and with a try that failed it says what is so', async () => {
  show({ copies: [], nights: [] })
  expect(await screen.findByText('Not proven yet')).toBeTruthy()
  expect(screen.getByText(/^No copies yet/)).toBeTruthy()
  cleanup()
  show({ copies: [], nights: [], place: null, database: { kind: 'server', bytes: 1 } })
  expect(await screen.findByText('Catenary isn’t backing anything up')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull()
  cleanup()
  const failed = {
    ...copy,
    name: null,
    state: 'failed' as const,
    bytes: null,
    drill: null,
    problem: 'No room',
  }
  show({ copies: [failed] })
  expect(await screen.findAllByText('failed: No room')).toBeTruthy()
})

test('Settings → Backups says in one sentence whether the newest copy can be restored, with each stage, what failed, and which one can; an old proof, or that of a file that is gone, does not count. A copy is made, tried, verified, downloaded and deleted there.', async () => {
  show({ copies: [{ ...copy, takenAt: '2026-11-21T02:00:00.000Z' }] })
  expect(await screen.findByRole('heading', { name: /^Last proven restorable/ })).toBeTruthy()
  cleanup()
  show({ copies: [{ ...copy, state: 'gone' }] })
  expect(await screen.findByRole('heading', { name: 'Not proven yet' })).toBeTruthy()
  expect(screen.getAllByText('file is gone')).toBeTruthy()
  cleanup()
  const place = { directory: '/backups', freeBytes: null, isOtherDisk: false, problem: 'EACCES' }
  show({ place, copies: [{ ...copy, state: 'gone' }] })
  expect(await screen.findByRole('heading', { name: /can’t be used$/ })).toBeTruthy()
  expect(screen.getAllByText('can’t be reached')).toBeTruthy()
  expect(screen.getByText('can’t be used')).toBeTruthy()
  expect(screen.queryByText(/own disk/)).toBeNull()
})

test('a copy is made now, and one is verified', async () => {
  show(
    {},
    {
      'POST /api/admin/backups': { ...state, underWay: 'copy' },
      'POST /api/admin/backups/7/verify': {
        problem: 'It is cut short',
        bytes: null,
        rows: null,
        tables: null,
      },
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: /^More: copy of/ }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Verify' }))
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()[0]).toMatchObject({ description: 'It is cut short' }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Back up now' }))
  expect(await screen.findByRole('button', { name: 'Backing up' })).toBeTruthy()
})

test('Where a copy, its command or a trial fails, the end of what was written is kept, and its row shows it by ‘Log’.', async () => {
  const failed: BackupDrill = {
    ...drill,
    state: 'failed',
    stages: [],
    problem: 'No start',
    log: 'PANIC: none',
  }
  show({ copies: [{ ...copy, drill: failed, problem: 'The command failed', log: 'The bucket is full' }] })
  const [first, second] = await screen.findAllByRole('button', { name: /^Log\s*of the copy of/ })
  const [said] = screen.getAllByText('PANIC: none')
  const [command] = screen.getAllByText('The bucket is full')
  if (!first || !second || !said || !command) throw new Error('each has its log')
  expect(said.compareDocumentPosition(command)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(said.closest('section')?.hidden).toBe(true)
  await userEvent.click(first)
  expect(first.textContent).toMatch(/^Hide log/)
  expect([said, command].map((text) => text.closest('section')?.hidden)).toEqual([false, true])
})

test('a copy that failed after the proven one is said beside the proof', async () => {
  const failed: BackupCopy = {
    ...copy,
    id: 8,
    takenAt: '2026-11-24T08:00:00.000Z',
    name: null,
    state: 'failed',
  }
  show({ copies: [{ ...failed, problem: 'No room', drill: null }, copy] })
  await screen.findByRole('heading', { name: /^Proven restorable/ })
  expect(screen.getByText(/^The one from/).textContent?.trim()).toBe('The one from 8:00 AM today failed.')
  expect(screen.queryByRole('button', { name: /^Log\s*of/ })).toBeNull()
})

test('when, where, how many and by which settings is said', async () => {
  show({ hasCommand: true })
  const card = within(await screen.findByRole('region', { name: 'Schedule and place' }))
  for (const text of ['day at 03:00, Europe/Berlin', '/backups', 'a command runs']) {
    expect(card.getByText(text)).toBeTruthy()
  }
  expect(card.getByText('7 daily, 4 weekly, 5 before migrations, and all made by hand')).toBeTruthy()
  for (const name of ['BACKUP_TIME', 'BACKUP_DIR', 'BACKUP_COMMAND', 'SMTP_URL']) {
    expect(card.getByText(name)).toBeTruthy()
  }
})

test.each([
  { what: 'is quiet', change: { quiet: { since: '2026-11-24T08:00:00.000Z', pending: nothing } } },
  { what: 'awaits its start', change: { awaitsStart: true } },
])('in a restored copy that $what none is made, and why is said', async ({ change }) => {
  show({}, { 'GET /api/admin/notices': { ...notices, ...change } })
  expect(await screen.findByText(/makes no backups until/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Back up now' })).toHaveProperty('disabled', true)
})

test('what stands above the pages is read anew once a drill has ended', async () => {
  const client = show({ underWay: 'drill' })
  await screen.findByRole('button', { name: 'Testing a copy' })
  const asked = () => network.mock.calls.filter(([path]) => path === '/api/admin/notices').length
  const before = asked()
  client.setQueryData(['admin', 'backups'], state)
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(before))
})
