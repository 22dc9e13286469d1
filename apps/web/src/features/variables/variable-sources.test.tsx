import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { DriveConnect } from './sources/drive-connect.tsx'
import { makeVariable } from './testing/make-variable.ts'
import { type OpenVariables, openVariables } from './testing/open-variables.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

async function openType(label: string, options: Partial<OpenVariables> = {}) {
  const page = openVariables({ variables: [], path: '/variables?variable=new', ...options })
  await userEvent.click(await screen.findByRole('radio', { name: label }))
  return page
}

const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('File to upload'), { target: { files: [file] } })

test.each([
  ['a picture', new File(['x'], 'logo.png'), /logo\.png can’t be uploaded/],
  [
    'more than 1 MiB',
    new File(['x'.repeat(1_048_577)], 'big.txt'),
    /big\.txt is too large \(1\.0 MB\)\. The limit is 1 MiB\./,
  ],
  ['what is not UTF-8', new File([new Uint8Array([0xff, 0xfe])], 'old.txt'), /old\.txt is not UTF-8 text/],
  ['NUL bytes', new File(['a\0b'], 'odd.txt'), /odd\.txt is not a text file/],
])('%s is refused before anything is sent', async (_what, file, message) => {
  const { sent } = await openType('File')
  choose(file)
  expect(await screen.findByText(message)).toBeTruthy()
  expect(sent).toEqual([])
})

test('a file is uploaded when it is chosen, shown with name and size, and saved by its path', async () => {
  const filePath = 'uploads/1763715600000_brand-voice.md'
  const { sent } = await openType('File', {
    answers: {
      'POST /api/upload': () => Response.json({ filePath }),
      'POST /api/variables': () =>
        Response.json(makeVariable({ type: 'file', content: filePath }), { status: 201 }),
    },
  })
  expect(screen.getByText('File content will appear here')).toBeTruthy()
  choose(new File(['Warm, exact.'], 'brand-voice.md'))
  expect(await screen.findByText('brand-voice.md')).toBeTruthy()
  expect(screen.getByText(/^12 B/)).toBeTruthy()
  expect(screen.getByText('Warm, exact.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Replace' })).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'brand_voice' } })
  await userEvent.click(screen.getByRole('button', { name: /Create Variable/ }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]?.body).toEqual({ fileName: 'brand-voice.md', content: 'Warm, exact.' })
  expect(sent[1]?.body).toMatchObject({ type: 'file', content: filePath, apiUrl: '' })
})

test('A file is picked or dropped, and checked before it is sent; ‘Error uploading file’ says that it failed.', async () => {
  await openType('File', {
    answers: { 'POST /api/upload': () => Response.json({ error: 'No room' }, { status: 500 }) },
  })
  choose(new File(['a'], 'a.txt'))
  expect(await screen.findByText('Error uploading file')).toBeTruthy()
  expect(screen.getByText('No room')).toBeTruthy()
  expect(screen.getByText('Drag a text file here')).toBeTruthy()
})

const STATUS = 'GET /api/auth/google/status'
const connected = () => Response.json({ authenticated: true, configured: true, email: 'ada@example.org' })

test('without Google settings the form says what an admin must set', async () => {
  await openType('Google Drive', {
    answers: { [STATUS]: () => Response.json({ authenticated: false, configured: false, email: null }) },
  })
  const notice = await screen.findByRole('region', { name: 'Google Drive is not set up' })
  expect(notice.textContent).toContain('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET')
  expect(notice.textContent).toContain(`${location.origin}/api/auth/google/callback`)
})

test('a status that can’t be had is an authentication error', async () => {
  await openType('Google Drive', {
    answers: { [STATUS]: () => Response.json({ error: 'Google rests' }, { status: 502 }) },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Authentication Error Google rests')
})

test('Connect opens a window; when it says that it is connected the file can be chosen', async () => {
  let isConnected = false
  await openType('Google Drive', {
    answers: {
      [STATUS]: () =>
        isConnected ? connected() : Response.json({ authenticated: false, configured: true, email: null }),
    },
  })
  const { popup, open } = stubPopup()
  await screen.findByText('Authorization required')
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
  expect(open.mock.calls[0]?.[0]).toBe('/api/auth/google?popup=1')
  isConnected = true
  say({ data: { type: 'google-drive-connected' }, source: popup })
  expect(await screen.findByText('Connected as ada@example.org')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy()
})

test('The form listens to the picker’s own window and origin only.', async () => {
  const file = { id: 'f1', name: 'Terms of service 2026', mimeType: 'text/plain' }
  await openType('Google Drive', { answers: { [STATUS]: connected } })
  const { popup, open } = stubPopup()
  await userEvent.click(await screen.findByRole('button', { name: 'Choose a file' }))
  expect(open.mock.calls[0]?.[0]).toBe('/api/google-drive/picker')
  say({ data: { ...file, name: 'From elsewhere' }, source: popup, origin: 'https://evil.example' })
  say({ data: { ...file, name: 'From another window' }, source: window })
  say({ data: { id: 7 }, source: popup })
  expect(screen.getByText('No file chosen')).toBeTruthy()
  say({ data: file, source: popup })
  expect(await screen.findByText('Google Drive file: Terms of service 2026')).toBeTruthy()
})

test('a picker that the browser blocks is reported', async () => {
  await openType('Google Drive', { answers: { [STATUS]: connected } })
  vi.stubGlobal('open', () => null)
  await userEvent.click(await screen.findByRole('button', { name: 'Choose a file' }))
  expect(await screen.findByText('Failed to open Google Drive picker.')).toBeTruthy()
})

test('outside the form, Connect is there while it is useful', async () => {
  const status = { authenticated: false, configured: true, email: null as string | null }
  vi.stubGlobal('fetch', async () => Response.json(status))
  const onConnected = vi.fn()
  show(<DriveConnect onConnected={onConnected} />)
  const { popup, open } = stubPopup()
  await userEvent.click(await screen.findByRole('button', { name: 'Connect Google Drive' }))
  expect(open.mock.calls[0]?.[0]).toBe('/api/auth/google?popup=1')
  Object.assign(status, { authenticated: true, email: 'ada@example.org' })
  say({ data: { type: 'google-drive-connected' }, source: popup })
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  expect(onConnected).toHaveBeenCalledTimes(1)
})

function show(children: ReactNode) {
  render(<QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>)
}

function stubPopup() {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const popup = frame.contentWindow
  const open = vi.fn((_path: string) => popup)
  vi.stubGlobal('open', open)
  return { popup, open }
}

function say({ data, source, origin = location.origin }: MessageEventInit & { data: unknown }) {
  fireEvent(window, new MessageEvent('message', { data, origin, ...(source ? { source } : {}) }))
}
