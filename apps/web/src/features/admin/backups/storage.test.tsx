import type { RetentionState } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { Storage } from './storage.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let state: RetentionState

beforeEach(() => {
  state = {
    settings: { runDays: null, textDays: 30, keyHours: 24, activityDays: 400 },
    sizes: {
      runs: { bytes: 1_640_000_000, rows: 365_000 },
      texts: { bytes: 12_300_000 },
      keys: { bytes: 81_920, rows: 12 },
      database: { bytes: 2_100_000_000 },
    },
    last: { at: '2026-11-22T08:00:00.000Z', runs: 3, texts: 1204 },
  }
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (_path, init) => {
    if (init?.method === 'PUT') state = { ...state, settings: JSON.parse(String(init.body)) }
    return Response.json(state)
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Storage />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const field = (label: string) => screen.findByRole<HTMLInputElement>('textbox', { name: label })
const figure = (name: string) => screen.getByText(name).nextSibling?.textContent

test('the space that runs take is shown, and what was deleted last', async () => {
  expect((await field('Keep runs for (days)')).value).toBe('')
  expect((await field('Keep their texts for (days)')).value).toBe('30')
  expect(figure('Runs')).toBe('1.6 GB, about 365,000')
  expect(figure('Their long texts')).toBe('12.3 MB')
  expect(figure('Saved replies (idempotency)')).toBe('81.9 kB, about 12')
  expect(figure('The whole database')).toBe('2.1 GB')
  expect(figure('It deleted')).toBe('3 runs, texts of 1,204')
})

test('a shorter time is saved after a warning, and an empty one means forever', async () => {
  await userEvent.type(await field('Keep runs for (days)'), '90')
  expect(screen.getByText('Older ones are permanently deleted when you save.')).toBeTruthy()
  await userEvent.clear(await field('Keep their texts for (days)'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const wanted = { runDays: 90, textDays: null, keyHours: 24, activityDays: 400 }
  await vi.waitFor(() => expect(state.settings).toEqual(wanted))
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Storage settings saved' }])
})

test('days that can be read in two ways are asked about', async () => {
  await userEvent.type(await field('Keep runs for (days)'), '1.000')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('“1.000” can be read in two ways. Write 1000 or 1')).toBeTruthy()
  await userEvent.type(
    await field('Keep runs for (days)'),
    '{Backspace}{Backspace}{Backspace}{Backspace} 000',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(state.settings.runDays).toBe(1000))
})

test('an invalid number of days is reported beside its field, and a refusal above all fields', async () => {
  await userEvent.type(await field('Keep runs for (days)'), '0')
  const hours = await field('Keep saved replies for (hours)')
  await userEvent.clear(hours)
  await userEvent.type(hours, '12')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Days must be at least 1')).toBeTruthy()
  expect(screen.getByText('Hours must be at least 24')).toBeTruthy()
  network.mockImplementation(async () => Response.json({ error: 'It rests' }, { status: 503 }))
  await userEvent.type(await field('Keep runs for (days)'), '{Backspace}7')
  await userEvent.type(hours, '{Backspace}{Backspace}48')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('It rests')
})
