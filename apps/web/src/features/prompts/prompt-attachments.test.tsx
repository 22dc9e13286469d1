import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../testing/make-prompt.ts'
import { makeVariable } from '../variables/testing/make-variable.ts'
import { openPromptDialog, writeContent } from './testing/open-prompt-dialog.tsx'
import { stubApi } from './testing/stub-api.ts'

const HELD = {
  fileId: 7,
  fileName: 'login-500.png',
  mediaType: 'image/png',
  width: 1440,
  height: 900,
  bytes: 212_000,
} as const
const variables = [
  makeVariable({ id: 3, name: 'shot', type: 'image', attachment: HELD, revision: 2 }),
  makeVariable({ id: 4, name: 'terms', type: 'document', attachment: null, canEdit: false }),
  makeVariable({ id: 5, name: 'unused', type: 'image', attachment: HELD }),
]
const abilities = {
  jsonSchema: true,
  effort: false,
  temperature: true,
  stop: true,
  caching: false,
  stripsThinking: false,
}
const model = (alias: string, label: string, images: boolean) => ({
  ...{ alias, label, configured: true, keyVariable: 'KEY', provider: 'custom', modelId: alias },
  capabilities: { ...abilities, images, documents: true },
})
const instance = {
  ...{
    version: '1',
    commit: '',
    build: '',
    registration: 'open',
    sandbox: false,
    mail: false,
    readOnly: null,
  },
  models: [model('claude', 'Claude', true), model('gpt', 'GPT', true), model('llama', 'Llama', false)],
}

beforeEach(() => {
  localStorage.clear()
  stubApi({ 'GET /api/instance': () => Response.json(instance) })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = (content: string, preset: string | null = null) =>
  openPromptDialog({
    prompt: makePrompt({ content, ...(preset && { model: preset }) }),
    variables,
    onClose: () => undefined,
  })
const section = () => within(screen.getByRole('region', { name: 'Attachments' }))

test('‘Model and output’ shows the images and PDFs that the content names, with which models see them.', async () => {
  await open('See $<shot> and $<terms>.')
  await userEvent.click(screen.getByRole('button', { name: /^Model and output/ }))
  expect(section().getAllByRole('listitem')).toHaveLength(2)
  expect(section().getByText('$<shot>')).toBeTruthy()
  expect(section().getByText('image · 1440 × 900, 212.0 kB')).toBeTruthy()
  expect(section().getByText('PDF · each run or call supplies its own')).toBeTruthy()
  expect(await section().findByText('Claude and GPT see images, Llama can’t')).toBeTruthy()
  expect(section().getByText('Claude, GPT, and Llama see PDFs')).toBeTruthy()
  await userEvent.click(section().getByRole('button', { name: 'Replace the variable shot' }))
  expect(window.location.pathname + window.location.search).toBe('/variables?variable=3')
})

test('A preset model that can’t see the images of the content is warned of.', async () => {
  await open('See $<shot>.', 'llama')
  expect(await section().findByText('Llama can’t see images: choose another model.')).toBeTruthy()
})

test('a prompt that names none says nothing; one named while it is written appears', async () => {
  await open('Hello', 'claude')
  expect(screen.queryByRole('region', { name: 'Attachments' })).toBeNull()
  writeContent('See $<shot>. ')
  expect(await screen.findByRole('region', { name: 'Attachments' })).toBeTruthy()
})
