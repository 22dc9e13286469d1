import type { RunAttachment, StoredFile } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  earlier,
  executeButton,
  fakeServer,
  makeTone,
  openExecutePage as open,
} from './testing/open-execute-page.tsx'

const HELD = {
  fileId: 7,
  fileName: 'login-500.png',
  mediaType: 'image/png',
  width: 1440,
  height: 900,
  bytes: 212_000,
} as const
const CHOSEN: StoredFile = {
  ...HELD,
  fileId: 8,
  fileName: 'other.png',
  filePath: 'uploads/1763715600000_other.png',
}
const SENT: RunAttachment = { ...HELD, name: 'shot' }
const shot = makeTone({
  id: 3,
  name: 'shot',
  type: 'image',
  content: 'uploads/1_login-500.png',
  attachment: HELD,
  revision: 2,
})
const place = makeTone({ id: 4, name: 'place', type: 'image', content: '', attachment: null })

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    path === '/api/files'
      ? Promise.resolve(Response.json(CHOSEN, { status: 201 }))
      : server.fetch(path, init),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const pictureIn = (region: HTMLElement) => region.querySelector('img')?.getAttribute('src')

test('a stored image is shown small, and not sent as if typed; a place is asked for', async () => {
  open({ content: 'See $<shot> and $<place>' }, { variables: [shot, place] })
  const field = await screen.findByRole('region', { name: 'shot' })
  expect(within(field).getByText('image · 1440 × 900, 212.0 kB')).toBeTruthy()
  expect(pictureIn(field)).toBe('/api/variables/3/file?revision=2')
  expect(screen.getByText('1 of 2 have values')).toBeTruthy()
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(server.runs[0]?.body).not.toHaveProperty('variableValues')
})

test('an image that is chosen for this run alone is sent by its key, and can be taken back', async () => {
  open({ content: 'See $<shot>' }, { variables: [shot] })
  const field = await screen.findByRole('region', { name: 'shot' })
  const file = new File([new Uint8Array([1])], 'other.png', { type: 'image/png' })
  fireEvent.change(screen.getByLabelText('shot: file to upload'), { target: { files: [file] } })
  expect(await within(field).findByText('other.png')).toBeTruthy()
  expect(pictureIn(field)).toBe('/api/files/8')
  await userEvent.click(screen.getByRole('button', { name: 'Preview what is sent' }))
  expect(screen.getByText('[image: other.png]')).toBeTruthy()
  await userEvent.click(within(field).getByRole('button', { name: 'Remove the file' }))
  expect(within(field).getByText('login-500.png')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('shot: file to upload'), { target: { files: [file] } })
  await within(field).findByText('other.png')
  await userEvent.click(executeButton())
  await waitFor(() => expect(server.runs).toHaveLength(1))
  expect(server.runs[0]?.body).toMatchObject({ variableValues: { shot: CHOSEN.filePath } })
})

test('the history shows what a run was sent', async () => {
  server.history.splice(0, 1, { ...earlier, attachments: [SENT] })
  open({ content: 'See $<shot>' }, { variables: [shot], path: '/execute/7?tab=history' })
  const row = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('[data-execution-id="11"]')
    if (!found) throw new Error('The run is not listed yet')
    return found
  })
  await userEvent.click(within(row).getByRole('button', { name: /, run #/, expanded: false }))
  const attachments = await screen.findByRole('region', { name: 'Attachments' })
  expect(within(attachments).getByText('$<shot>')).toBeTruthy()
  expect(pictureIn(attachments)).toBe('/api/executions/11/files/7')
})
