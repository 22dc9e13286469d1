import type { User } from '@catenary/contracts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { openApp } from '../testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const grace: User = { id: 2, username: 'grace', email: 'grace@example.org', role: 'user' }
const replies = { '/api/user': grace, '/api/mail': mailOf(grace.email) }
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 })
const titles = async (group: string) =>
  within(await screen.findByRole('list', { name: group }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

const YOURS = [
  'Profile',
  'Password',
  'Sessions',
  'Appearance',
  'Default model',
  'Time zone',
  'Notifications',
  'Ownership',
]

test('Each section of the settings has an address, `/settings/<section>`, and a way back; `/settings` leads to one’s profile (D75).', async () => {
  await openApp({ path: '/variables', replies })
  await userEvent.click(await screen.findByRole('link', { name: 'Settings' }))
  await heading('Profile')
  expect(window.location.pathname).toBe('/settings/profile')
  expect(await screen.findByText('grace@example.org')).toBeTruthy()
  expect(await titles('You')).toEqual(YOURS)
  expect(await titles('This installation')).toEqual(['Groups', 'Activity'])
  const list = within(screen.getByRole('navigation', { name: 'Settings' }))
  await userEvent.click(list.getByRole('link', { name: 'Appearance' }))
  await heading('Appearance')
  expect(window.location.pathname).toBe('/settings/appearance')
  expect(list.getByRole('link', { current: 'page' }).textContent).toBe('Appearance')
  expect(document.title).toBe('Appearance – Settings – Catenary')
  window.history.back()
  await heading('Profile')
})

test.each(['/settings/models', '/settings/nothing'])(
  'A section that is unknown, or not for the person, is not found. (%s)',
  async (path) => {
    await openApp({ path, replies })
    await heading('404 Page Not Found')
  },
)

test('an administrator has the installation’s sections too, each of which opens', async () => {
  await openApp({ path: '/settings/general' })
  await heading('General')
  expect(await titles('You')).toEqual(YOURS)
  expect(await titles('This installation')).toEqual([
    'Models',
    'People',
    'Groups',
    'Limits and budgets',
    'Tags and labels',
    'Schedules',
    'Backups',
    'Processes',
    'Activity',
    'Examples',
    'General',
  ])
})

test('Admin Settings are the debug switch, and ‘All settings’ leads to the pages (D75).', async () => {
  await openApp()
  await userEvent.click(await screen.findByRole('button', { name: 'Admin Settings' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Admin Settings' }))
  expect(dialog.getByText('Configure system-wide admin settings')).toBeTruthy()
  expect(await dialog.findByRole('switch', { name: 'Debug mode' })).toBeTruthy()
  await userEvent.click(dialog.getByRole('link', { name: 'All settings' }))
  await heading('Profile')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Where there is no room for both, the list of sections comes first, and each section leads back to it.', async () => {
  await openApp({ path: '/settings/profile', replies, isNarrow: true })
  await heading('Profile')
  expect(screen.queryByRole('navigation', { name: 'Settings' })).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'All settings' }))
  await heading('Settings')
  expect(window.location.pathname).toBe('/settings')
  await userEvent.click(screen.getByRole('link', { name: /^Time zone/ }))
  await heading('Time zone')
})

function mailOf(ownAddress: string) {
  return {
    isSetUp: true,
    recipients: 'confirmed',
    domains: [],
    ownAddress,
    ownAddressState: 'confirmed',
  }
}
