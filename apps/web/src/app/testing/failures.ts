import { EditorView } from '@codemirror/view'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import { confirm, findCard, findDialog, press, write } from './acts.ts'
import { type Fault, PROMPT } from './open-app.tsx'

export const EXECUTE = '/execute/1'

interface Failure {
  call: string
  fault: Fault
  path: string
  act: () => Promise<void>
  toast: readonly [string, string]
}

/** What a person does, what goes wrong then, and the toast to the letter. */
export const failures: Record<string, Failure> = {
  'logging out': {
    call: 'POST /api/logout',
    fault: { status: 500, text: 'The database rests' },
    path: '/',
    act: () => press('Logout'),
    toast: ['Logout failed', 'The database rests'],
  },
  'creating a category': {
    call: 'POST /api/categories',
    fault: { status: 400, json: { details: [{ path: 'name', message: 'Too odd' }] } },
    path: '/',
    act: () => addInline({ button: 'Add Category', field: 'New category' }),
    toast: ['Error', 'Failed to create category: Too odd'],
  },
  'creating a tag': {
    call: 'POST /api/tags',
    fault: { status: 429, json: { error: 'Too many tags. Try again in 5 min.' } },
    path: '/',
    act: () => addInline({ button: 'Add Tag', field: 'New tag' }),
    toast: ['Error', 'Failed to add tag: Too many tags. Try again in 5 min.'],
  },
  'creating a prompt': {
    call: 'POST /api/prompts',
    fault: 'cut',
    path: '/?prompt=new',
    act: async () => {
      const form = await findDialog('Create New Prompt')
      await write('Title', 'New', form)
      const editor = await form.findByRole('textbox', { name: 'Content' })
      EditorView.findFromDOM(editor)?.dispatch({ changes: { from: 0, insert: 'Text' } })
      form.getByRole('combobox', { name: 'Category' }).focus()
      await userEvent.keyboard('{Enter}')
      await userEvent.click(await screen.findByRole('option', { name: 'Writing' }))
      await press(/^Create Prompt/, form)
    },
    toast: ['Error', 'Failed to create prompt: The server could not be reached.'],
  },
  'updating a prompt': {
    call: 'PUT /api/prompts/1',
    fault: { status: 502, text: '<h1>Bad gateway</h1>', type: 'text/html' },
    path: '/?prompt=1',
    act: savePrompt,
    toast: ['Error', 'Failed to update prompt: <h1>Bad gateway</h1>'],
  },
  'sharing a prompt that was saved': {
    call: 'PATCH /api/prompts/1/share',
    fault: { status: 503, json: { message: 'Closed for a minute' } },
    path: '/?prompt=1',
    act: savePrompt,
    toast: ['Error', 'Failed to update prompt: Closed for a minute'],
  },
  'switching a prompt': {
    call: 'PATCH /api/prompts/1/toggle',
    fault: { status: 401, json: { error: 'Not signed in' } },
    path: '/',
    act: () => turn(`Active: ${PROMPT}`),
    toast: ['Error', 'Failed to update prompt status: 401: Not signed in'],
  },
  'deleting a prompt': {
    call: 'DELETE /api/prompts/1',
    fault: { status: 500, statusText: 'Internal Server Error' },
    path: '/',
    act: async () => {
      await press(`More: ${PROMPT}`, await findCard(PROMPT))
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      await confirm('Delete')
    },
    toast: ['Error', 'Failed to delete prompt: Internal Server Error'],
  },
  'setting debug mode': {
    call: 'POST /api/admin/debug-mode',
    fault: { status: 500, json: { error: 'No room' } },
    path: '/',
    act: async () => {
      await press('Admin Settings')
      await turn('Debug mode')
    },
    toast: ['Error', 'Failed to update debug mode: 500: No room'],
  },
  'executing in the dialog': {
    call: 'POST /api/execute-prompt',
    fault: { status: 500, json: { error: 'The model is asleep' } },
    path: '/',
    act: async () => {
      await press('Execute with AI', await findCard(PROMPT))
      await execute()
    },
    toast: ['Error', 'Failed to execute prompt: The model is asleep'],
  },
  'executing beyond the quota': {
    call: 'POST /api/execute-prompt',
    fault: { status: 429, json: { error: 'Slow down.' } },
    path: EXECUTE,
    act: execute,
    toast: [
      'API Quota Exceeded',
      'Slow down. The service quota is exceeded. Check your plan or retry later, or choose another model.',
    ],
  },
  'executing without a key': {
    call: 'POST /api/execute-prompt',
    fault: streamOf('error', { error: 'API key not configured for openai. Set OPENAI_API_KEY.' }),
    path: `${EXECUTE}?model=openai`,
    act: execute,
    toast: [
      'API Key Error',
      'API key not configured for openai. Set OPENAI_API_KEY. The key is missing or was refused. Choose another model, or ask an administrator to set the key.',
    ],
  },
  'executing, for any other reason': {
    call: 'POST /api/execute-prompt',
    fault: streamOf('error', { error: 'The model has no answer.' }),
    path: EXECUTE,
    act: execute,
    toast: ['Error executing prompt', 'The model has no answer. Run it again, or choose another model.'],
  },
  'deleting a run': {
    call: 'DELETE /api/executions/11',
    fault: { status: 404, json: { error: 'No such run' } },
    path: `${EXECUTE}?history=open`,
    act: async () => {
      const history = within(await screen.findByRole('region', { name: 'Execution history' }))
      await press(/^Write a/, history)
      await press(/^Delete this run: /)
      await confirm('Delete')
    },
    toast: ['Error', 'Failed to delete execution: No such run'],
  },
  'clearing the history': {
    call: 'DELETE /api/prompts/1/executions',
    fault: { status: 500, json: { code: 7 } },
    path: `${EXECUTE}?history=open`,
    act: async () => {
      await press('More: history')
      const item = await screen.findByRole('menuitem', { name: 'Clear history' })
      await userEvent.click(item)
      await confirm('Clear history')
    },
    toast: ['Error', 'Failed to delete execution: {"code":7}'],
  },
  'creating a variable': {
    call: 'POST /api/variables',
    fault: { status: 500, json: { error: { code: 'full' } } },
    path: '/variables?variable=new',
    act: async () => {
      const form = await findDialog('Create New Variable')
      await write('Name', 'fresh', form)
      await press(/^Create Variable/, form)
    },
    toast: ['Error creating variable', '{"code":"full"}'],
  },
  'updating a variable': {
    call: 'PATCH /api/variables/1',
    fault: { status: 500, json: { error: 'No room' } },
    path: '/variables?variable=1',
    act: async () => {
      const form = await findDialog('Edit Variable')
      await write('Content', 'cold', form)
      await press(/^Save Changes/, form)
    },
    toast: ['Error updating variable', 'No room'],
  },
  'deleting a variable': {
    call: 'DELETE /api/variables/1',
    fault: { status: 403, json: { error: 'Not yours' } },
    path: '/variables',
    act: async () => {
      vi.stubGlobal('confirm', () => true)
      await press('Delete tone')
    },
    toast: ['Error deleting variable', 'Not yours'],
  },
}

/** Adds `Legal` by the sidebar's line. */
export async function addInline({ button, field }: { button: string; field: string }): Promise<void> {
  await press(button)
  await userEvent.type(await screen.findByLabelText(field), 'Legal{Enter}')
}

async function turn(name: string): Promise<void> {
  await userEvent.click(await screen.findByRole('switch', { name }))
}

async function savePrompt(): Promise<void> {
  await press(/^Save Changes/, await findDialog('Edit Prompt'))
}

async function execute(): Promise<void> {
  const form = within(await screen.findByRole('form', { name: 'Execute Prompt' }))
  await press(/^Execute(?! with AI)/, form)
}

function streamOf(event: string, data: unknown): Fault {
  return {
    status: 200,
    text: `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    type: 'text/event-stream',
  }
}
