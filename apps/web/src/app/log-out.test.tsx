import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { press } from './testing/acts.ts'
import { openApp } from './testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})

const LOOKS = { 'catenary.theme': 'dark', 'catenary.density': 'compact', 'catenary.single-keys': 'off' }

function workInBrowser(): void {
  for (const [key, value] of Object.entries(LOOKS)) localStorage.setItem(key, value)
  for (const key of ['draft.prompt.1.new', 'chain-input.1.2', 'log', 'time-zone'])
    localStorage.setItem(`catenary.${key}`, 'private')
  for (const key of ['inputs.execute.1', 'runs.1']) sessionStorage.setItem(`catenary.${key}`, 'private')
}

const privateKeys = () =>
  [...Object.entries(localStorage), ...Object.entries(sessionStorage)].filter(([, text]) =>
    String(text).includes('private'),
  )

test('Nothing private outlives Log out: drafts, typed values, inputs, runs and the log go, how the browser looks stays.', async () => {
  await openApp({ failing: { call: 'POST /api/logout', fault: { status: 200 } } })
  workInBrowser()
  await press('Logout')
  await waitFor(() => expect(privateKeys()).toEqual([]))
  expect(localStorage).toMatchObject(LOOKS)
  // As a form does while its page is left.
  localStorage.setItem('catenary.draft.prompt.1.new', 'private')
  window.dispatchEvent(new Event('pagehide'))
  expect(privateKeys()).toEqual([])
})

test('Who logs out in one tab leaves nothing in the others.', async () => {
  await openApp()
  workInBrowser()
  window.dispatchEvent(new StorageEvent('storage', { key: 'catenary.loggedOut', newValue: '1' }))
  expect(privateKeys()).toEqual([])
})
