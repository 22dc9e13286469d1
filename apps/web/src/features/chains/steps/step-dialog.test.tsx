import type { Chain, ChainStep } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makeChain, makeStep } from '../../../testing/make-chain.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { promptsQuery } from '../../prompts/prompts.queries.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import StepDialog from './step-dialog.tsx'

const onClose = vi.fn()
const onAlert = vi.fn()

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('alert', onAlert)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

async function openDialog({
  chain = makeChain(),
  step = null,
}: {
  chain?: Chain
  step?: ChainStep | null
} = {}) {
  const queryClient = createQueryClient()
  const prompts = [makePrompt(), makePrompt({ id: 8, title: 'Haiku', content: 'A haiku on {{tickets}}.' })]
  queryClient.setQueryData(promptsQuery().queryKey, {
    pages: [{ items: prompts, total: prompts.length, isMore: false, next: null }],
    pageParams: [null],
  })
  queryClient.setQueryData(allVariablesQuery.queryKey, [makeVariable({ name: 'support' })])
  show(<StepDialog chain={chain} step={step} userId={1} onClose={onClose} />, queryClient)
  await screen.findByRole('textbox', { name: 'Content' })
  return within(screen.getByRole('dialog'))
}

const editor = () => EditorView.findFromDOM(screen.getByRole('textbox', { name: 'Content' }))
const write = (text: string) => editor()?.dispatch({ changes: { from: 0, insert: text } })
const secondStep = () => makeChain().steps[1] ?? makeStep()

test('A step’s form has defaults, ‘Output variable name is required’, unique names, and focuses the first invalid field.', async () => {
  const sent = stubChainApi({ 'POST /api/chains/12/steps': () => Response.json(makeStep(), { status: 201 }) })
  const dialog = await openDialog()
  expect(dialog.getByRole('combobox', { name: 'Model' }).textContent).toBe('GPT-4o')
  expect(dialog.getByText('Step 4 of “Monday digest”')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: /Add Step/ }))
  expect(await dialog.findByText('Output variable name is required')).toBeTruthy()
  const name = dialog.getByLabelText('Output variable name')
  expect(document.activeElement).toBe(name)
  await userEvent.type(name, 'my-name')
  expect(
    await dialog.findByText('Output variable name may contain letters, digits and underscores only'),
  ).toBeTruthy()
  await userEvent.clear(name)
  await userEvent.type(name, 'Tickets')
  expect(await dialog.findByText('Another step of this chain already has the output Tickets')).toBeTruthy()
  await userEvent.clear(name)
  await userEvent.type(name, 'mail')
  write('One line for {{digest}}.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Step added')).toBeTruthy()
  expect(writesOf(sent)).toEqual([
    {
      key: 'POST /api/chains/12/steps',
      body: {
        model: 'openai',
        outputVariableName: 'mail',
        promptId: null,
        promptLabel: null,
        promptVersion: null,
        title: '',
        content: 'One line for {{digest}}.',
        position: 3,
        systemPrompt: null,
        temperature: null,
        maxTokens: null,
        fallbackModel: null,
        moreFallbackModels: null,
        effort: null,
        stop: null,
        messages: null,
        output: { type: 'text' },
      },
    },
  ])
  expect(onClose).toHaveBeenCalledOnce()
})

test('a model that is not known here is shown by its name, and kept until another is chosen', async () => {
  const step = { ...secondStep(), model: 'nova' }
  const sent = stubChainApi({})
  const dialog = await openDialog({ step })
  expect(dialog.getByRole('combobox', { name: 'Model' }).textContent).toBe('nova (not available)')
  expect(dialog.getByText('This model is not set up here. Runs will fail at this step.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Title'), '!')
  await userEvent.click(dialog.getByRole('button', { name: /Save/ }))
  await waitFor(() =>
    expect(writesOf(sent)).toMatchObject([{ body: { model: 'nova', title: `${step.title}!` } }]),
  )
})

test('Choosing a prompt copies and locks title and content; ‘Custom’ clears them.', async () => {
  stubChainApi({})
  const dialog = await openDialog()
  const choose = async (search: string, title: string) => {
    await userEvent.click(dialog.getByLabelText('Prompt'))
    if (search) await userEvent.type(screen.getByPlaceholderText('Search prompts'), search)
    await userEvent.click(await screen.findByRole('option', { name: new RegExp(title) }))
  }
  await choose('hai', 'Haiku')
  const title = dialog.getByLabelText('Title')
  expect(title).toHaveProperty('value', 'Haiku')
  expect(title).toHaveProperty('readOnly', true)
  await waitFor(() => expect(editor()?.state.doc.toString()).toBe('A haiku on {{tickets}}.'))
  expect(editor()?.state.readOnly).toBe(true)
  await choose('', 'Custom')
  expect(title).toHaveProperty('value', '')
  expect(title).toHaveProperty('readOnly', false)
  await waitFor(() => expect(editor()?.state.doc.toString()).toBe(''))
  expect(editor()?.state.readOnly).toBe(false)
})

test('A step may have a system prompt, temperature and token limit; ‘Position must be a positive number’, 0 if missing (D32).', async () => {
  const sent = stubChainApi({ 'PATCH /api/chains/12/steps/2': () => Response.json(secondStep()) })
  const dialog = await openDialog({ step: secondStep() })
  expect(dialog.getByLabelText('Temperature').closest('[data-state=closed]')).not.toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Advanced' }))
  await userEvent.type(dialog.getByLabelText('System prompt'), 'Be brief.')
  await userEvent.type(dialog.getByLabelText('Temperature'), '3')
  await userEvent.type(dialog.getByLabelText('Token limit'), 'many')
  await userEvent.clear(dialog.getByLabelText('Position'))
  await userEvent.type(dialog.getByLabelText('Position'), '-1')
  await userEvent.click(dialog.getByRole('button', { name: 'Advanced' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText('Temperature must be a number from 0 to 2')).toBeTruthy()
  expect(dialog.getByText('Token limit must be a whole number from 1 to 1,000,000')).toBeTruthy()
  expect(dialog.getByText('Position must be a positive number')).toBeTruthy()
  expect(dialog.getByLabelText('Temperature').closest('[data-state=closed]')).toBeNull()
  const fill = async (label: string, text: string) => {
    await userEvent.clear(dialog.getByLabelText(label))
    if (text) await userEvent.type(dialog.getByLabelText(label), text)
  }
  await fill('Temperature', '0.5')
  await fill('Token limit', '300')
  await fill('Position', '')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  const body = { systemPrompt: 'Be brief.', temperature: 0.5, maxTokens: 300, position: 0, revision: 4 }
  expect(writesOf(sent)[0]?.body).toMatchObject(body)
})

test('Form and run warn of outputs that no earlier step makes, circles, unused outputs, unused input and unknown variables, in system prompts and turns too (D32).', async () => {
  stubChainApi({})
  const dialog = await openDialog({ step: secondStep() })
  const warnings = () => dialog.queryByRole('status', { name: 'Warnings' })?.textContent
  expect(warnings()).toBeUndefined()
  await userEvent.clear(dialog.getByLabelText('Output variable name'))
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'sums')
  write('{{digest}} {{nobody}} {{sums}} $<unknown> ')
  await waitFor(() => expect(warnings()).toContain('{{digest}} is only produced later, by step 3.'))
  expect(warnings()).toContain('No step produces {{nobody}}, so it stays as written.')
  expect(warnings()).toContain('It uses {{sums}}, which it produces itself.')
  expect(warnings()).toContain('There is no variable $<unknown>, so it stays as written.')
  expect(warnings()).toContain('Step 3: No step produces {{counts}}, so it stays as written.')
  expect(dialog.getByRole('button', { name: 'Create variable unknown' })).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Use {{input}} instead of $<unknown>' }))
  await waitFor(() => expect(warnings()).not.toContain('There is no variable'))
  expect(dialog.getByRole('textbox', { name: 'Content' }).textContent).toContain('{{sums}} {{input}} ')
})

test('someone changed another step meanwhile: this one is saved all the same', async () => {
  const now = makeChain({ revision: 9 })
  const sent = stubChainApi({
    'PATCH /api/chains/12/steps/2': [
      () => Response.json({ error: 'Changed', details: now }, { status: 409 }),
      () => Response.json(secondStep()),
    ],
  })
  const dialog = await openDialog({ step: secondStep() })
  await userEvent.type(dialog.getByLabelText('Title'), ' twice')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Step updated')).toBeTruthy()
  expect(writesOf(sent).map(({ body }) => body)).toMatchObject([{ revision: 4 }, { revision: 9 }])
})

test.each([
  ['as the next change', 5, true],
  ['with another’s change in between', 6, false],
])(
  'A save says which version it made, and its toast turns it back. (%s)',
  async (_when, revision, isOffered) => {
    const before = makeChain()
    const sent = stubChainApi({
      'PATCH /api/chains/12/steps/2': () => Response.json(secondStep()),
      'GET /api/chains/12': () => Response.json(makeChain({ revision, version: before.version + 1 })),
      [`POST /api/chains/12/versions/${before.version}/restore`]: () =>
        Response.json(makeChain({ revision: 6, version: before.version + 2 })),
    })
    const dialog = await openDialog({ step: secondStep() })
    await userEvent.type(dialog.getByLabelText('Title'), ' twice')
    await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
    expect(await screen.findByText('Step updated')).toBeTruthy()
    const undo = screen.queryByRole('button', { name: 'Undo', hidden: true })
    if (!isOffered || !undo) {
      expect(isOffered).toBe(undo !== null)
      return
    }
    expect(screen.getByText(`Saved as version ${before.version + 1}`)).toBeTruthy()
    fireEvent.click(undo)
    expect(await screen.findByText(`Version ${before.version} restored`)).toBeTruthy()
    expect(writesOf(sent).at(-1)?.body).toEqual({ revision })
  },
)

test('When someone else saved a step first, both states are shown (D16).', async () => {
  const theirs = { ...secondStep(), title: 'Theirs' }
  const now = makeChain({ revision: 9, steps: [theirs] })
  const sent = stubChainApi({
    'PATCH /api/chains/12/steps/2': [
      () => Response.json({ error: 'Changed', details: now }, { status: 409 }),
      () => Response.json(secondStep()),
    ],
  })
  const dialog = await openDialog({ step: secondStep() })
  await userEvent.clear(dialog.getByLabelText('Title'))
  await userEvent.type(dialog.getByLabelText('Title'), 'Mine')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByLabelText('Title: Yours')).toHaveProperty('value', 'Mine')
  expect(dialog.getByLabelText('Title: Saved now')).toHaveProperty('value', 'Theirs')
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: 'Keep mine and save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(writesOf(sent)[1]?.body).toMatchObject({ title: 'Mine', revision: 9 })
})

test('a draft that was begun before someone changed this step does not undo their change unseen', async () => {
  stubChainApi({})
  const begun = await openDialog({ step: secondStep() })
  await userEvent.type(begun.getByLabelText('Title'), ' of mine')
  expect(await begun.findByText('Draft kept on this device')).toBeTruthy()
  cleanup()

  const theirs = { ...secondStep(), content: 'Theirs' }
  const now = makeChain({ revision: 9, steps: [theirs] })
  const sent = stubChainApi({
    'PATCH /api/chains/12/steps/2': [
      () => Response.json({ error: 'Changed', details: now }, { status: 409 }),
      () => Response.json(theirs),
    ],
  })
  const dialog = await openDialog({ chain: now, step: theirs })
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByLabelText('Content: Saved now')).toHaveProperty('value', 'Theirs')
  expect(writesOf(sent).map(({ body }) => body)).toMatchObject([{ title: 'Count of mine', revision: 4 }])
})

test('An exception while the form submits shows the browser’s alert.', async () => {
  const details = [{ path: 'outputVariableName', message: 'Another step has it' }]
  stubChainApi({
    'POST /api/chains/12/steps': [
      () => Response.json({ error: 'Invalid', details }, { status: 400 }),
      () => {
        throw new RangeError('The moon is in the way')
      },
    ],
  })
  const dialog = await openDialog()
  await userEvent.type(dialog.getByLabelText('Output variable name'), 'mail')
  await userEvent.click(dialog.getByRole('button', { name: /Add Step/ }))
  expect(await screen.findByText('Failed to add step')).toBeTruthy()
  expect(screen.getByText('400: Invalid')).toBeTruthy()
  expect(dialog.getByText('Another step has it')).toBeTruthy()
  expect(onAlert).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: /Add Step/ }))
  await waitFor(() => expect(onAlert).toHaveBeenCalledOnce())
  expect(onAlert.mock.calls[0]?.[0]).toContain('The moon is in the way')
  expect(onClose).not.toHaveBeenCalled()
})

test('Unsaved changes of a step are guarded and kept as a draft.', async () => {
  stubChainApi({})
  const dialog = await openDialog()
  await userEvent.type(dialog.getByLabelText('Title'), 'Half a step')
  expect(await dialog.findByText('Draft kept on this device')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeTruthy()
  cleanup()
  const next = await openDialog()
  expect(next.getByLabelText('Title')).toHaveProperty('value', 'Half a step')
  await userEvent.click(next.getByRole('button', { name: 'Discard draft' }))
  expect(next.getByLabelText('Title')).toHaveProperty('value', '')
})
