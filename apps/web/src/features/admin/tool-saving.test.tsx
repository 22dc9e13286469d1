import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import { ToolSavingSetting } from './general-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let savedBy: string

beforeEach(() => {
  savedBy = 'everyone'
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (_path, init) => {
    if (init?.method === 'PUT') savedBy = JSON.parse(String(init.body)).savedBy
    return Response.json({ savedBy })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

function show() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToolSavingSetting />
    </QueryClientProvider>,
  )
}
const toggle = () => screen.findByRole('switch', { name: 'Everyone may save steps that call services' })
const isOn = async () => (await toggle()).getAttribute('aria-checked')

test('A switch says whether everyone may save steps that call services, or only administrators.', async () => {
  show()
  expect(await isOn()).toBe('true')
  await userEvent.click(await toggle())
  await vi.waitFor(async () => expect(await isOn()).toBe('false'))
  expect(savedBy).toBe('admins')
  await userEvent.click(await toggle())
  await vi.waitFor(async () => expect(await isOn()).toBe('true'))
  expect(savedBy).toBe('everyone')
})

test('a change that fails leaves the switch as it was, and says so', async () => {
  show()
  const shown = await toggle()
  network.mockImplementation(async () => Response.json({ error: 'boom' }, { status: 500 }))
  await userEvent.click(shown)
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Error', description: 'Failed to set who may save steps that call services: boom' },
    ]),
  )
  expect(await isOn()).toBe('true')
})

test('what can’t be read is said, with a way to try again', async () => {
  network.mockImplementationOnce(async () => Response.json({ error: 'boom' }, { status: 500 }))
  show()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Failed to fetch who may save steps that call services')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await isOn()).toBe('true')
})
