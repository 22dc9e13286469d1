import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import { DebugMode } from './general-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let debugMode: boolean

beforeEach(() => {
  debugMode = false
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (_path, init) => {
    if (init?.method === 'POST') debugMode = JSON.parse(String(init.body)).enabled
    return Response.json({ debugMode })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

function show() {
  const queryClient = createQueryClient()
  const panel = (
    <QueryClientProvider client={queryClient}>
      <DebugMode />
    </QueryClientProvider>
  )
  return render(panel)
}
const debugSwitch = () => screen.findByRole('switch', { name: 'Debug mode' })
const isOn = async () => (await debugSwitch()).getAttribute('aria-checked')

test('POST /api/admin/debug-mode sets it, and the switch shows what it is then.', async () => {
  show()
  expect(await isOn()).toBe('false')
  expect(screen.queryByText(/Debug mode is on/)).toBeNull()
  await userEvent.click(await debugSwitch())
  expect(await screen.findByText(/Debug mode is on/)).toBeTruthy()
  expect(toastStore.getSnapshot()).toMatchObject([
    { title: 'Debug mode updated', description: 'Debug mode is now enabled' },
  ])
  await userEvent.click(await debugSwitch())
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Debug mode updated', description: 'Debug mode is now disabled' },
    ]),
  )
  expect(screen.queryByText(/Debug mode is on/)).toBeNull()
  expect(network.mock.calls.filter(([, init]) => init?.method === 'POST').map(([path]) => path)).toEqual([
    '/api/admin/debug-mode',
    '/api/admin/debug-mode',
  ])
})

test('The reply sets the debug switch, not the request.', async () => {
  network.mockImplementation(async () => Response.json({ debugMode: false }))
  show()
  await userEvent.click(await debugSwitch())
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([{ description: 'Debug mode is now disabled' }]),
  )
  expect(await isOn()).toBe('false')
})

test('GET /api/admin/debug-mode is called only while the dialog is open, and not on focus.', async () => {
  const { unmount } = show()
  await debugSwitch()
  window.dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  await Promise.resolve()
  expect(network).toHaveBeenCalledTimes(1)
  unmount()
  show()
  await debugSwitch()
  expect(network).toHaveBeenCalledTimes(2)
})

test('‘Failed to fetch debug settings’ is said, with a way to try again.', async () => {
  network.mockImplementationOnce(async () => Response.json({ error: 'boom' }, { status: 500 }))
  show()
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch debug settings')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await isOn()).toBe('false')
})

test.each([
  [() => Promise.resolve(Response.json({ error: 'boom' }, { status: 500 })), '500: boom'],
  [() => Promise.reject(new Error('')), 'Unknown error'],
])(
  '‘Failed to update debug mode: {message or Unknown error}’ leaves the switch as it was.',
  async (reply, reason) => {
    show()
    const toggle = await debugSwitch()
    network.mockImplementation(reply)
    await userEvent.click(toggle)
    await vi.waitFor(() =>
      expect(toastStore.getSnapshot()).toMatchObject([
        {
          title: 'Error',
          description: `Failed to update debug mode: ${reason}`,
          variant: 'destructive',
        },
      ]),
    )
    expect(await isOn()).toBe('false')
  },
)
