import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { DeletionEffects, deletionText } from './deletion-effects.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const nothing = { chains: 0, schedules: 0, tokens: 0, suites: 0, evaluations: 0 }

test('a chain takes with it what runs, calls and tests it', () => {
  const dependants = { ...nothing, schedules: 2, tokens: 1, suites: 1, evaluations: 1204 }
  expect(deletionText({ kind: 'chain', dependants })).toBe(
    'Its steps, versions and all runs, including other people’s, will be deleted. 2 schedules, 1 token, 1 test suite, and 1,204 evaluations will be deleted too. Programs that call it will be refused.',
  )
  expect(deletionText({ kind: 'chain', dependants: { ...nothing, schedules: 1 } })).toMatch(
    /deleted\. 1 schedule will be deleted too\.$/,
  )
})

test('a prompt leaves its text to the chains that link to it, and its metrics to Usage', () => {
  expect(deletionText({ kind: 'prompt', dependants: nothing })).toBe('Its runs still count in Usage.')
  expect(deletionText({ kind: 'prompt', dependants: { ...nothing, chains: 3, tokens: 2, suites: 1 } })).toBe(
    '1 test suite will be deleted too. 3 chains link to it: the steps keep its text but get no later versions. Programs with 2 tokens can no longer fetch it. Its runs still count in Usage.',
  )
})

test('Whoever may not know how many things end with a record is told only which kinds.', async () => {
  const answers = [
    Response.json({ ...nothing, schedules: 1 }),
    Response.json({ error: 'You can’t change this chain' }, { status: 403 }),
  ]
  vi.stubGlobal('fetch', async () => answers.shift())
  const show = () =>
    render(
      <QueryClientProvider client={createQueryClient()}>
        <DeletionEffects kind="chain" id={12} />
      </QueryClientProvider>,
    )
  show()
  expect(await screen.findByText(/1 schedule will be deleted too/)).toBeTruthy()
  cleanup()
  show()
  await vi.waitFor(() => expect(answers).toEqual([]))
  expect(
    await screen.findByText(/Its schedules, tokens, tests and evaluations will be deleted too\./),
  ).toBeTruthy()
})
