import type { StoredFile } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeVariable } from './testing/make-variable.ts'
import { type OpenVariables, openVariables } from './testing/open-variables.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const STORED: StoredFile = {
  fileId: 7,
  filePath: 'uploads/1763715600000_login-500.png',
  fileName: 'login-500.png',
  mediaType: 'image/png',
  width: 1440,
  height: 900,
  bytes: 212_000,
}
const PNG = new File([new Uint8Array([137, 80, 78, 71])], 'login-500.png', { type: 'image/png' })
const keeps = (stored: StoredFile = STORED) => ({
  'POST /api/files': () => Response.json(stored, { status: 201 }),
})

async function openType(label: 'Image' | 'PDF', answers: OpenVariables['answers'] = {}) {
  const page = openVariables({ variables: [], path: '/variables?variable=new', answers })
  await userEvent.click(await screen.findByRole('radio', { name: label }))
  return page
}
const choose = (file: File, label = 'Image') =>
  fireEvent.change(screen.getByLabelText(`${label}: file to upload`), { target: { files: [file] } })

async function expectShown() {
  expect(await screen.findByText('login-500.png')).toBeTruthy()
  expect(screen.getByText('image · 1440 × 900, 212.0 kB')).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Open login-500.png' })
  expect(link.querySelector('img')?.getAttribute('src')).toBe('/api/files/7')
}

test('An image or PDF is chosen, dropped, pasted or fetched from an address, and shown small with name and size.', async () => {
  const { sent } = await openType('Image', {
    ...keeps(),
    'POST /api/variables': () => Response.json(makeVariable({ type: 'image' }), { status: 201 }),
  })
  expect(screen.getByText(/^Location, device and other metadata are removed/)).toBeTruthy()
  choose(PNG)
  await expectShown()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'screenshot' } })
  await userEvent.click(screen.getByRole('button', { name: /Create Variable/ }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]?.body).toEqual({ fileName: 'login-500.png', data: 'iVBORw==' })
  expect(sent[1]?.body).toMatchObject({ type: 'image', content: STORED.filePath })
})

test('it is dropped', async () => {
  await openType('Image', keeps())
  const zone = screen.getByText('Drop or paste an image here')
  fireEvent.drop(zone, { dataTransfer: { files: [PNG] } })
  await expectShown()
})

test('it is pasted, wherever the focus is', async () => {
  await openType('Image', keeps())
  fireEvent.paste(screen.getByLabelText('Name'), { clipboardData: { files: [PNG] } })
  await expectShown()
})

test('it is fetched from an address by the server', async () => {
  const { sent } = await openType('Image', keeps())
  await userEvent.click(screen.getByRole('button', { name: 'From an address' }))
  await userEvent.type(screen.getByLabelText('Address'), 'https://example.org/a.png{Enter}')
  await expectShown()
  expect(sent[0]?.body).toEqual({ url: 'https://example.org/a.png' })
})

test('what is taken away or of the other kind is not saved', async () => {
  const { sent } = await openType('Image', {
    ...keeps(),
    'POST /api/variables': () => Response.json(makeVariable({ type: 'document' }), { status: 201 }),
  })
  choose(PNG)
  await expectShown()
  await userEvent.click(screen.getByRole('radio', { name: 'PDF' }))
  expect(screen.getByText('Drop or paste a PDF here')).toBeTruthy()
  expect(screen.getByText(/^It is stored unchanged, with its title and author/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'terms' } })
  await userEvent.click(screen.getByRole('button', { name: /Create Variable/ }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.body).toMatchObject({ type: 'document', content: '' })
})

test.each([
  ['an SVG', new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }), /^logo\.svg can’t be used/],
  ['a PDF', new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }), /^a\.pdf can’t be used/],
  [
    'one that is far too large',
    new File([new Uint8Array(7_500_001)], 'big.png', { type: 'image/png' }),
    /^big\.png is too large \(7\.5 MB\): PNG, JPEG or WebP, at most 3\.75 MB/,
  ],
])('%s is refused before anything is sent', async (_what, file, message) => {
  const { sent } = await openType('Image', keeps())
  choose(file)
  expect((await screen.findByRole('alert')).textContent).toMatch(message)
  expect(sent).toEqual([])
})

test('Models that can’t see an image are named beside it.', async () => {
  const abilities = {
    jsonSchema: true,
    effort: false,
    temperature: true,
    stop: true,
    caching: false,
    stripsThinking: false,
  }
  const model = (alias: string, label: string, fields: object) => ({
    ...{ alias, label, configured: true, keyVariable: 'KEY', provider: 'custom', modelId: alias },
    ...fields,
  })
  const models = [
    model('claude', 'Claude', { capabilities: { ...abilities, images: true, documents: true } }),
    model('llama', 'Llama', { capabilities: { ...abilities, images: false, documents: false } }),
    model('llava', 'Llava', { capabilities: { ...abilities, images: true, documents: false } }),
    model('spare', 'Spare', {
      capabilities: { ...abilities, images: false, documents: false },
      configured: false,
    }),
  ]
  const instance = {
    version: '1',
    commit: '',
    build: '',
    registration: 'open',
    sandbox: false,
    readOnly: null,
    mail: false,
    models,
  }
  await openType('Image', { 'GET /api/instance': () => Response.json(instance) })
  expect(await screen.findByText('Llama can’t see images.')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'PDF' }))
  expect(await screen.findByText('Llama and Llava can’t see PDFs.')).toBeTruthy()
})

test('what the server finds is said at the field', async () => {
  const error = 'The PDF is encrypted. Save it without a password first.'
  await openType('PDF', { 'POST /api/files': () => Response.json({ error }, { status: 400 }) })
  choose(new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }), 'PDF')
  expect((await screen.findByRole('alert')).textContent).toBe(error)
  expect(
    within(screen.getByRole('region', { name: 'PDF' })).getByText('Drop or paste a PDF here'),
  ).toBeTruthy()
})
