import type { FirstSteps } from '@catenary/contracts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { instance, openApp } from './testing/open-app.tsx'

const start: FirstSteps = {
  isOver: false,
  hasKey: false,
  done: { model: false, run: false, chain: false, code: false },
  promptId: null,
  chainId: null,
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('Where nobody has an account, `/auth` says that the first one becomes the administrator, and puts Create Account first.', async () => {
  const buttons = () =>
    ['Create Account', 'Log In'].map((name) => screen.getByRole('button', { name })).toSorted(byPlace)
  for (const [registration, names] of [
    ['first', ['Create Account', 'Log In']],
    ['open', ['Log In', 'Create Account']],
  ] as const) {
    const replies = { '/api/instance': { ...instance, registration } }
    await openApp({ path: '/auth', isGuest: true, replies, until: 'Log In' })
    await waitFor(() => expect(buttons().map(({ textContent }) => textContent)).toEqual(names))
    const sentence = screen.queryByText(/The first account becomes the administrator/)
    expect(sentence !== null).toBe(registration === 'first')
  }
})

test('A guest’s empty library says that prompts are there after logging in.', async () => {
  await openApp({ isGuest: true, replies: { '/api/prompts': [] } })
  expect(await screen.findByRole('heading', { name: 'Log in to see your prompts' })).toBeTruthy()
  expect(screen.getByText(/Yours are here once you log in/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Log In' }))
  expect(await screen.findByRole('dialog', { name: 'Log in' })).toBeTruthy()
})

test('Who continues in the sandbox comes to an example that runs, with the first step done.', async () => {
  const present = { prompts: 8, chains: 2, variables: 4, suites: 1 }
  const replies: Record<string, unknown> = {
    '/api/first-steps': start,
    '/api/prompts': [],
    'POST /api/examples': { present, takenNames: [] },
  }
  await openApp({ replies })
  const link = await screen.findByRole('link', { name: /sandbox$/ })
  replies['/api/first-steps'] = { ...start, promptId: 1 }
  await userEvent.click(link)
  await waitFor(() => expect(window.location.pathname).toBe('/execute/1'))
  expect(await screen.findByText('Using the sandbox for now')).toBeTruthy()
  expect(screen.getByText('1 of 4')).toBeTruthy()
})

function byPlace(a: HTMLElement, b: HTMLElement): number {
  return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}
