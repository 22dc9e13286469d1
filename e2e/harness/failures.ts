import type { Page } from 'playwright-core'
import type { Fault } from './faults.ts'
import { cardOf } from './screen.ts'

/** The prompt that the seed creates first. */
export const PROMPT = 'Welcome letter'
export const EXECUTE = '/execute/1'

interface Failure {
  call: string
  fault: Fault
  path: string
  act: (page: Page) => Promise<void>
  toast: readonly [string, string]
}

/** What a person does, what goes wrong then, and the toast to the letter. */
export const failures: Record<string, Failure> = {
  'logging out': {
    call: 'POST /api/logout',
    fault: { status: 500, text: 'The database rests' },
    path: '/',
    act: (page) => page.getByRole('button', { name: 'Logout' }).click(),
    toast: ['Logout failed', 'The database rests'],
  },
  'creating a category': {
    call: 'POST /api/categories',
    fault: { status: 400, json: { details: [{ path: 'name', message: 'Too odd' }] } },
    path: '/',
    act: (page) => addInline(page, { button: 'Add Category', field: 'New category' }),
    toast: ['Error', 'Failed to create category: [{"path":"name","message":"Too odd"}]'],
  },
  'creating a tag': {
    call: 'POST /api/tags',
    fault: { status: 429, json: { error: 'Too many tags. Try again in 5 min.' } },
    path: '/',
    act: (page) => addInline(page, { button: 'Add Tag', field: 'New tag' }),
    toast: ['Error', 'Failed to add tag: Too many tags. Try again in 5 min.'],
  },
  'creating a prompt': {
    call: 'POST /api/prompts',
    fault: 'cut',
    path: '/?prompt=new',
    act: async (page) => {
      await page.getByLabel('Title').fill('New')
      await page.getByRole('textbox', { name: 'Content' }).fill('Text')
      await page.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('option', { name: 'Writing' }).click()
      await page.getByRole('button', { name: 'Create Prompt' }).click()
    },
    toast: ['Error', 'Failed to create prompt: Failed to fetch'],
  },
  'updating a prompt': {
    call: 'PUT /api/prompts/*',
    fault: { status: 502, text: '<h1>Bad gateway</h1>', type: 'text/html' },
    path: '/?prompt=1',
    act: savePrompt,
    toast: ['Error', 'Failed to update prompt: <h1>Bad gateway</h1>'],
  },
  'sharing a prompt that was saved': {
    call: 'PATCH /api/prompts/*/share',
    fault: { status: 503, json: { message: 'Closed for a minute' } },
    path: '/?prompt=1',
    act: savePrompt,
    toast: ['Error', 'Failed to update prompt: Closed for a minute'],
  },
  'switching a prompt': {
    call: 'PATCH /api/prompts/*/toggle',
    fault: { status: 401, json: { error: 'Not signed in' } },
    path: '/',
    act: (page) => page.getByRole('switch', { name: `Active: ${PROMPT}` }).click(),
    toast: ['Error', 'Failed to update prompt status: 401: Not signed in'],
  },
  'deleting a prompt': {
    call: 'DELETE /api/prompts/*',
    fault: { status: 500, text: '' },
    path: '/',
    act: async (page) => {
      await cardOf(page, PROMPT).hover()
      await cardOf(page, PROMPT).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    },
    toast: ['Error', 'Failed to delete prompt: Internal Server Error'],
  },
  'setting debug mode': {
    call: 'POST /api/admin/debug-mode',
    fault: { status: 500, json: { error: 'No room' } },
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Admin Settings' }).click()
      await page.getByRole('switch', { name: 'Debug mode' }).click()
    },
    toast: ['Error', 'Failed to update debug mode: 500: No room'],
  },
  'executing in the dialog': {
    call: 'POST /api/execute-prompt',
    fault: { status: 500, json: { error: 'The model is asleep' } },
    path: '/',
    act: async (page) => {
      await cardOf(page, PROMPT).getByRole('button', { name: 'Execute with AI' }).click()
      await execute(page)
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
      'API key not configured for openai. Set OPENAI_API_KEY. The key is missing or was refused. Choose another model, or have the key set.',
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
    call: 'DELETE /api/executions/*',
    fault: { status: 404, json: { error: 'No such run' } },
    path: `${EXECUTE}?history=open`,
    act: async (page) => {
      const run = page.getByRole('region', { name: 'Execution history' }).getByRole('listitem').first()
      await run.getByRole('button', { name: /^Write a/ }).click()
      await page.getByRole('button', { name: 'Delete this run' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    },
    toast: ['Error', 'Failed to delete execution: No such run'],
  },
  'clearing the history': {
    call: 'DELETE /api/prompts/*/executions',
    fault: { status: 500, json: { code: 7 } },
    path: `${EXECUTE}?history=open`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Clear history' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Clear history' }).click()
    },
    toast: ['Error', 'Failed to delete execution: {"code":7}'],
  },
  'creating a variable': {
    call: 'POST /api/variables',
    fault: { status: 500, json: { error: { code: 'full' } } },
    path: '/variables?variable=new',
    act: async (page) => {
      await page.getByLabel('Name').fill('fresh')
      await page.getByRole('button', { name: 'Create Variable' }).click()
    },
    toast: ['Error creating variable', '{"code":"full"}'],
  },
  'updating a variable': {
    call: 'PATCH /api/variables/*',
    fault: { status: 500, json: { error: 'No room' } },
    path: '/variables?variable=1',
    act: async (page) => {
      await page.getByLabel('Content').fill('cold')
      await page.getByRole('button', { name: 'Save Changes' }).click()
    },
    toast: ['Error updating variable', 'No room'],
  },
  'deleting a variable': {
    call: 'DELETE /api/variables/*',
    fault: { status: 403, json: { error: 'Not yours' } },
    path: '/variables',
    act: async (page) => {
      page.once('dialog', (dialog) => void dialog.accept())
      await page.getByRole('row', { name: /tone/ }).hover()
      await page.getByRole('button', { name: 'Delete tone' }).click()
    },
    toast: ['Error deleting variable', 'Not yours'],
  },
}

/** Adds `Legal` by the sidebar's line. */
export async function addInline(
  page: Page,
  { button, field }: { button: string; field: string },
): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByLabel(field).fill('Legal')
  await page.keyboard.press('Enter')
}

async function savePrompt(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Edit Prompt' })
  await dialog.getByLabel('Title').waitFor()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
}

async function execute(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Execute Prompt' })
  await form.getByRole('button', { name: /^Execute(?! with)/ }).click()
}

function streamOf(event: string, data: unknown): Fault {
  return {
    status: 200,
    text: `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    type: 'text/event-stream',
  }
}
