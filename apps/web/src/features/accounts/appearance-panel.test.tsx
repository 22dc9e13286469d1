import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followDensity } from '../../lib/appearance/density.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import AppearancePanel from './appearance-panel.tsx'

const network = vi.fn<(path: string) => Promise<Response>>()

beforeEach(() => {
  localStorage.clear()
  network.mockReset()
  vi.stubGlobal('fetch', network)
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

test('Density is a setting, which shows at once and stays on this device.', async () => {
  followDensity()
  const root = document.documentElement.dataset
  expect(root.density).toBe('comfortable')
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AppearancePanel />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('radio', { name: 'Compact' }))
  expect(root.density).toBe('compact')
  expect(screen.getByRole('radio', { name: 'Compact' }).getAttribute('aria-checked')).toBe('true')
  expect(network).not.toHaveBeenCalled()
  root.density = 'comfortable'
  followDensity()
  expect(root.density).toBe('compact')
})
