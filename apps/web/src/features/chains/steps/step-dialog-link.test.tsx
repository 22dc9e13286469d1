import type { ChainStep } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

beforeEach(() => {
  localStorage.clear()
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const LABELS = [
  { label: 'production', version: 2 },
  { label: 'staging', version: 3 },
]
const prompt = makePrompt({ version: 3, content: 'third', labels: LABELS })
const versionOf = (number: number, note = '') => ({
  ...{ number, title: `Tone ${number}`, content: `text ${number}`, note },
  ...{ author: 'ada', createdAt: '2026-05-01T10:00:00.000Z' },
})

async function openDialog(link: Partial<ChainStep>, canEdit = true) {
  const step = makeStep({ id: 2, promptId: 7, content: 'third', ...link })
  const sent = stubChainApi({
    'GET /api/prompts': () => Response.json([prompt]),
    'GET /api/variables': () => Response.json([]),
    'GET /api/prompts/7': () => Response.json({ ...prompt, canEdit }),
    'GET /api/prompts/7/versions': () => Response.json([versionOf(3), versionOf(2, 'Warmer'), versionOf(1)]),
    'GET /api/prompts/7/versions/2': () => Response.json(versionOf(2, 'Warmer')),
    'PATCH /api/chains/12/steps/2': () => Response.json(step),
  })
  show(<StepDialog chain={makeChain()} step={step} userId={1} onClose={() => undefined} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Step' }))
  await waitFor(() => expect(sent.some(({ key }) => key === 'GET /api/prompts/7')).toBe(true))
  return { ...dialog, sent }
}

const linkedPrompt = { id: 7, title: 'Tone check', content: 'third', version: 3 }
const content = () =>
  EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Content' }))?.state.doc.toString()
const optionsOf = async (dialog: { getByLabelText: (label: string) => HTMLElement }) => {
  await userEvent.click(dialog.getByLabelText('Runs'))
  return (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
}

test('The step’s form chooses which text runs.', async () => {
  const dialog = await openDialog({ linkedPrompt })
  expect(dialog.getByText(/a run uses its text at that time\.$/)).toBeTruthy()
  expect(await optionsOf(dialog)).toEqual([
    'Current text · version 3',
    'production · version 2',
    'staging · version 3',
    'Version 3',
    'Version 2 · Warmer',
    'Version 1',
  ])
  await userEvent.click(screen.getByRole('option', { name: 'production · version 2' }))
  await waitFor(() => expect(content()).toBe('text 2'))
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Tone 2')
  expect(dialog.getByText(/a run uses the version that production is on at that time\.$/)).toBeTruthy()
  await optionsOf(dialog)
  await userEvent.click(screen.getByRole('option', { name: 'Version 2 · Warmer' }))
  expect(dialog.getByText(/a run uses version 2, even if the prompt changes\.$/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(dialog.sent)[0]?.body).toMatchObject({
    ...{ promptId: 7, promptLabel: null, promptVersion: 2, title: 'Tone 2', content: 'text 2' },
  })
})

test('The step’s form hints when the label moved.', async () => {
  const now = { ...linkedPrompt, version: 2, content: 'text 2' }
  const dialog = await openDialog({ promptLabel: 'production', content: 'text 1', linkedPrompt: now })
  expect(
    dialog.getByText('production has been moved since this step was saved: a run now uses version 2.'),
  ).toBeTruthy()
})

test('a person who may not change the prompt chooses among its labels, and keeps a chosen version', async () => {
  const dialog = await openDialog({ promptVersion: 2, linkedPrompt }, false)
  expect(await optionsOf(dialog)).toEqual([
    'Current text · version 3',
    'production · version 2',
    'staging · version 3',
    'Version 2',
  ])
})
