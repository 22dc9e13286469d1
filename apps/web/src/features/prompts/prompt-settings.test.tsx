import type { Prompt } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../testing/make-prompt.ts'
import { openPromptDialog } from './testing/open-prompt-dialog.tsx'
import { stubApi } from './testing/stub-api.ts'

const onClose = vi.fn()

beforeEach(() => {
  localStorage.clear()
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  onClose.mockReset()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const SET = {
  model: 'claude',
  fallbackModel: 'gemini',
  moreFallbackModels: ['openai'],
  effort: 'high',
  temperature: 0.2,
  maxTokens: 1200,
  stop: ['END'],
  systemPrompt: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello' }],
} satisfies Partial<Prompt>

const open = async (prompt: Prompt | null = makePrompt()) =>
  within(await openPromptDialog({ prompt, onClose }))
type Dialog = Awaited<ReturnType<typeof open>>

const section = (dialog: Dialog) => dialog.getByRole('button', { name: /^Model and output/ })
const save = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))

async function take(dialog: Dialog, label: string, choice: string) {
  await userEvent.click(dialog.getByRole('combobox', { name: label }))
  await userEvent.click(await screen.findByRole('option', { name: choice }))
}

function write(label: string, text: string) {
  EditorView.findFromDOM(screen.getByRole('textbox', { name: label }))?.dispatch({
    changes: { from: 0, insert: text },
  })
}

const saving = (saved: Prompt = makePrompt({ revision: 5 })) => ({
  'PUT /api/prompts/7': () => Response.json(saved),
  'PATCH /api/prompts/7/share': () => Response.json(saved),
})
const bodyOf = (sent: ReturnType<typeof stubApi>) =>
  sent.find(({ key }) => key === 'PUT /api/prompts/7')?.body

test('‘Model and output’ sets model, fallback models in order, effort, length, temperature, stop texts. Closed, one line says it.', async () => {
  const sent = stubApi(saving())
  const dialog = await open()
  expect(section(dialog).textContent).toContain('no model set · text')
  await userEvent.click(section(dialog))
  expect(section(dialog).textContent).toContain('saved with the version; runs, chains and code use it')
  expect(dialog.getByRole('combobox', { name: 'Model' }).textContent).toBe('No model set')
  await take(dialog, 'Model', 'Claude')
  await userEvent.click(dialog.getByRole('radio', { name: 'High' }))
  await userEvent.type(dialog.getByLabelText('Temperature'), '0.2')
  await userEvent.type(dialog.getByLabelText('Max tokens'), '1200')
  await take(dialog, 'Fallback model', 'GPT-4o')
  await userEvent.click(dialog.getByRole('button', { name: 'Add fallback model' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Move fallback model 2 up' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add stop text' }))
  await userEvent.type(dialog.getByLabelText('Stop text 1'), 'END')
  await userEvent.click(section(dialog))
  expect(section(dialog).textContent).toContain(
    'Claude · else Gemini, GPT-4o · effort high · temperature 0.2 · at most 1,200 tokens · 1 stop text · text',
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Add system text' }))
  write('System', 'Be brief.')
  await userEvent.click(dialog.getByRole('button', { name: 'Add turn' }))
  write('Turn 1', 'Hello')
  await save(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(bodyOf(sent)).toMatchObject(SET)
})

test('System text and turns fold with model and output, are templates like the content, and can be moved and removed.', async () => {
  const sent = stubApi(saving())
  const turns = [...SET.messages, { role: 'assistant' as const, content: 'Good day' }]
  const dialog = await open(makePrompt({ ...SET, messages: turns }))
  expect(section(dialog).textContent).toMatch(/^Model and outputClaude .* · text · system text · 2 turns$/)
  expect(dialog.getByRole('radio', { name: 'High' }).getAttribute('aria-checked')).toBe('true')
  expect(dialog.getByRole('combobox', { name: 'Fallback model 2' }).textContent).toBe('GPT-4o')
  await userEvent.click(dialog.getByRole('button', { name: 'Move turn 2 up' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove fallback model 1' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove stop text 1' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove system text' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Model’s default' }))
  await userEvent.clear(dialog.getByLabelText('Temperature'))
  await save(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(bodyOf(sent)).toMatchObject({
    fallbackModel: 'openai',
    moreFallbackModels: null,
    stop: null,
    systemPrompt: null,
    effort: null,
    temperature: null,
    messages: turns.toReversed(),
  })
})

test('a model is not offered twice, and one that is the model itself is said to be', async () => {
  stubApi({})
  const dialog = await open(makePrompt(SET))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Fallback model 2' }))
  const offered = await screen.findAllByRole('option')
  expect(offered.map(({ textContent }) => textContent)).toEqual(['GPT-4o'])
  await userEvent.keyboard('{Escape}')
  await take(dialog, 'Model', 'Gemini')
  expect(dialog.getByText('Same as the model above.')).toBeTruthy()
})

test('Settings that can’t be saved are refused at their field.', async () => {
  const sent = stubApi(saving())
  const dialog = await open()
  await userEvent.click(section(dialog))
  await userEvent.type(dialog.getByLabelText('Temperature'), '3')
  await userEvent.type(dialog.getByLabelText('Max tokens'), 'many')
  await userEvent.click(section(dialog))
  await userEvent.click(dialog.getByRole('button', { name: 'Add turn' }))
  await save(dialog)
  expect(await dialog.findByText('Temperature must be a number from 0 to 2')).toBeTruthy()
  expect(dialog.getByText('Max tokens must be a whole number from 1 to 1,000,000')).toBeTruthy()
  expect(dialog.getByText('Turn 1 has no text. Write some, or remove the turn')).toBeTruthy()
  expect(section(dialog).getAttribute('aria-expanded')).toBe('true')
  expect(sent).toEqual([])
})

test('Settings are shown in words in a conflict.', async () => {
  const theirs = makePrompt({ ...SET, revision: 9 })
  stubApi({
    'PUT /api/prompts/7': () => Response.json({ error: 'Changed', details: theirs }, { status: 409 }),
  })
  const dialog = await open()
  await userEvent.click(section(dialog))
  await userEvent.click(dialog.getByRole('radio', { name: 'Low' }))
  await save(dialog)
  expect(await dialog.findByLabelText('Effort: Yours')).toHaveProperty('value', 'Low')
  expect(dialog.getByLabelText('Effort: Saved now')).toHaveProperty('value', 'High')
  expect(dialog.getByLabelText('Turns: Saved now')).toHaveProperty('value', 'User: Hello')
  expect(dialog.getByLabelText('More fallback models: Saved now')).toHaveProperty('value', 'openai')
})

test('Settings of a prompt are kept in drafts.', async () => {
  stubApi({})
  const old = { title: 'Half', categoryId: 2, content: 'Half a text', output: { type: 'text' } }
  const dialog = await open()
  await userEvent.click(section(dialog))
  await userEvent.click(dialog.getByRole('radio', { name: 'Low' }))
  expect(await dialog.findByText('Draft kept on this device')).toBeTruthy()
  cleanup()
  const again = await open()
  expect(again.getByRole('radio', { name: 'Low' }).getAttribute('aria-checked')).toBe('true')
  cleanup()
  const key = Object.keys(localStorage).find((name) => name.includes('prompt.1.7')) ?? ''
  const kept = JSON.parse(localStorage.getItem(key) ?? '{}')
  localStorage.setItem(key, JSON.stringify({ ...kept, values: old }))
  expect((await open()).getByLabelText('Title')).toHaveProperty('value', 'Half')
})

test('What the chosen model can’t do is said beside the setting.', async () => {
  const abilities = { images: true, documents: true, jsonSchema: true, caching: true, stripsThinking: false }
  const plain = {
    ...{ alias: 'plain', label: 'Plain', configured: true, keyVariable: 'KEY', modelId: 'plain-1' },
    provider: 'openai',
    capabilities: { ...abilities, effort: false, temperature: false, stop: false },
  }
  stubApi({
    'GET /api/instance': () =>
      Response.json({
        ...{
          version: '1.0.0',
          commit: null,
          build: '',
          registration: 'open',
          sandbox: false,
          mail: false,
          readOnly: null,
        },
        models: [plain],
      }),
  })
  const dialog = await open(makePrompt({ model: 'plain', effort: 'high', temperature: 1, stop: ['END'] }))
  expect(await dialog.findByText(/^Plain doesn’t support an effort setting\./)).toBeTruthy()
  expect(dialog.getByText(/^Plain doesn’t support a temperature\./)).toBeTruthy()
  expect(dialog.getByText(/^Plain doesn’t support stop texts\./)).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: 'Model’s default' }))
  expect(dialog.queryByText(/^Plain doesn’t support an effort/)).toBeNull()
})
