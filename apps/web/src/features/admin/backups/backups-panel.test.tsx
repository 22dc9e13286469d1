import type { BackupCopy, BackupDrill, BackupsState } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { BackupsPanel } from './backups-panel.tsx'

const drill: BackupDrill = {
  ...{ state: 'proven', at: '2026-11-24T02:12:00.000Z', ms: 7_512, restoreMs: 6_104, rows: 41_208 },
  stages: [
    { name: 'opened', ms: 412, found: '214 of 214 checksums match' },
    { name: 'counted', ms: 3_611, found: '41,208 rows, as in its manifest' },
    { name: 'migrated', ms: 2_081, found: 'schema 61, nothing left to do' },
    { name: 'ran', ms: 1_408, found: 'Monday digest, in the sandbox' },
  ],
  problem: null,
}
const copy: BackupCopy = {
  ...{ id: 7, name: 'a.catenary', takenAt: '2026-11-24T02:00:00.000Z', reason: 'daily', state: 'kept' },
  ...{ bytes: 24_600_000, program: '1.0.14', schema: 61, rows: 41_208, problem: null, drill },
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

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
function show(shown: Partial<BackupsState>, replies: Record<string, unknown> = {}) {
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) =>
    Response.json(replies[`${init?.method ?? 'GET'} ${path}`] ?? { ...state, ...shown }),
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BackupsPanel />
    </QueryClientProvider>,
  )
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
  expect(heading.textContent).toContain('holds something else than it should')
  expect(screen.getAllByText(problem, { exact: false })).toBeTruthy()
  expect(screen.getByText(/^The newest that was proven/).textContent).toContain('2:00 AM yesterday')
  expect(screen.getByText('It holds something else than it should')).toBeTruthy()
})

test('without a copy, without a folder, and with a try that failed it says what is so', async () => {
  show({ copies: [], nights: [] })
  expect(await screen.findByText('Not proven yet')).toBeTruthy()
  expect(screen.getByText(/^There is no copy yet/)).toBeTruthy()
  cleanup()
  show({ copies: [], nights: [], place: null, database: { kind: 'server', bytes: 1 } })
  expect(await screen.findByText('Nothing is backed up by Catenary')).toBeTruthy()
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

test('a proof that is old, or of a file that is gone or out of reach, does not count as one', async () => {
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
  expect(screen.getAllByText('out of reach')).toBeTruthy()
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
  await userEvent.click(await screen.findByRole('button', { name: /^More for the copy/ }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Verify' }))
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()[0]).toMatchObject({ description: 'It is cut short' }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Back up now' }))
  expect(await screen.findByRole('button', { name: 'Backing up' })).toBeTruthy()
})
