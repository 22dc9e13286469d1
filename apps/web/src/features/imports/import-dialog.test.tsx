import type { ImportItem, ImportOutcome, UndoneImport } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import ImportDialog from './import-dialog.tsx'

const item = (key: string, name: string, fields: Partial<ImportItem> = {}): ImportItem => ({
  ...{
    key,
    kind: 'prompt',
    name,
    state: 'new',
    file: 0,
    at: '',
    tests: 0,
    isSkill: false,
    alias: null,
    slug: null,
  },
  ...{ existing: null, content: null, here: null, made: null, promptId: null, chainId: null, suiteId: null },
  ...fields,
})
const there = { existing: { id: 4, version: 9, isNewer: false }, state: 'conflict', content: 'x' } as const
const OUTCOME: ImportOutcome = {
  id: null,
  files: [{ name: 'Pasted text', format: 'openai', prompts: 4, chains: 0, tests: 2, problem: null }],
  items: [
    item('0.0', 'Refund reply', { tests: 2, at: '[0]' }),
    item('0.1', 'Tone check', there),
    item('0.2', 'Boat names', there),
    item('0.3', 'Weekly', { state: 'same' }),
  ],
  losses: [{ at: 'Pasted text › [0].tools', reason: 'Tools are kept as a note, not run: find_order' }],
  lossCount: 1,
}
const UNDONE: UndoneImport = {
  removed: 1,
  restored: 1,
  kept: [{ kind: 'prompt', id: 2, name: 'Boat names', reason: 'used' }],
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Opens the dialog against a server that answers so; gives what was sent. */
function open(answers: Record<string, (body: { dryRun?: boolean }) => Response>) {
  const sent: { key: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const path = new URL(String(input), 'http://localhost').pathname
    const key = `${init.method ?? 'GET'} ${path}`
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    if (init.method === 'POST') sent.push({ key, body })
    if (key === 'GET /api/categories') return Response.json([{ id: 2, name: 'Writing', count: 1 }])
    return answers[key]?.(body) ?? Response.json([])
  })
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <ImportDialog onClose={onClose} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  return { sent, onClose }
}

async function paste(text = '{}') {
  const field = await screen.findByLabelText('Or paste text')
  await userEvent.click(field)
  await userEvent.paste(text)
  await userEvent.click(screen.getByRole('button', { name: 'Check it' }))
}

test('a pasted text is checked, chosen, imported and taken back', async () => {
  const { sent } = open({
    'POST /api/import': ({ dryRun }) =>
      Response.json(
        dryRun
          ? OUTCOME
          : {
              ...OUTCOME,
              id: 7,
              items: OUTCOME.items.map((each, n) =>
                n < 2 ? { ...each, made: n === 0 ? 'new' : 'version', promptId: n + 1 } : each,
              ),
            },
      ),
    'POST /api/imports/7/undo': () => Response.json(UNDONE),
  })
  await paste()
  await screen.findByText('Tools are kept as a note, not run: find_order')
  expect(screen.getByText('Refund reply › tools')).toBeTruthy()
  expect(screen.getByText('OpenAI, 2 B · 4 prompts · 2 tests')).toBeTruthy()
  expect(screen.getByText(/^1 new, with 2 tests\./)).toBeTruthy()

  // One choice for all, then another for one.
  const conflicts = within(screen.getByRole('region', { name: 'Conflicts' }))
  const all = within(conflicts.getByRole('radiogroup', { name: 'For all conflicts' }))
  await userEvent.click(all.getByRole('radio', { name: 'Copy' }))
  const tone = within(conflicts.getByRole('radiogroup', { name: 'What to do with Tone check' }))
  await userEvent.click(tone.getByRole('radio', { name: 'New version' }))
  expect(all.queryByRole('radio', { checked: true })).toBeNull()
  expect(screen.getByText(/^1 new, 1 new version, 1 copy, with 2 tests\./)).toBeTruthy()

  // Wherever in the dialog the focus is.
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('2 prompts imported')
  expect(sent.at(-1)?.body).toMatchObject({
    dryRun: false,
    conflicts: { all: 'skip', items: { '0.1': 'version', '0.2': 'copy' } },
    files: [{ name: 'Pasted text', text: '{}' }],
  })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone: 1 prompt removed, 1 prompt as before')
  expect(screen.getByText('something uses it')).toBeTruthy()
})

test('A file that can’t be read says so on screen too.', async () => {
  const problem = 'Line 3: it is not readable JSON'
  const nothing = {
    ...{
      id: null,
      items: [],
      losses: [{ at: 'cut.json', reason: `Nothing is imported from this file. ${problem}` }],
    },
    lossCount: 1,
    files: [{ name: 'cut.json', format: null, prompts: 0, chains: 0, tests: 0, problem }],
  }
  open({ 'POST /api/import': () => Response.json(nothing) })
  const chosen = new File(['{"a":'], 'cut.json', { type: 'application/json' })
  await userEvent.upload(await screen.findByLabelText('Choose files'), chosen)
  await screen.findByText(problem)
  expect(screen.getByText(`Nothing is imported from this file. ${problem}`)).toBeTruthy()
  expect(screen.queryByText('Nothing will be lost.')).toBeNull()
  expect(screen.getByText('Nothing to import.')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Import/ })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('button', { name: 'Remove cut.json' }))
  await screen.findByText('Drop files or a folder here')
})

test('Files that are passed over are named.', async () => {
  const outcome = { ...OUTCOME, items: [item('0.0', 'Letters', { isSkill: true })] }
  const { sent } = open({ 'POST /api/import': () => Response.json(outcome) })
  const files = [new File(['a'], 'SKILL.md'), new File(['b'], 'logo.png'), new File([' '], 'empty.md')]
  await userEvent.upload(await screen.findByLabelText('Choose files'), files)
  await screen.findByText('Skipped, because they contain no prompt: logo.png, empty.md')
  await userEvent.click(screen.getByRole('switch', { name: 'Also serve the skill to agents' }))
  await userEvent.click(screen.getByRole('button', { name: /^Import 1/ }))
  expect(sent.at(-1)?.body).toMatchObject({ asSkills: false, files: [{ name: 'SKILL.md' }] })
})

test('what names no category goes into the chosen one', async () => {
  const { sent } = open({ 'POST /api/import': () => Response.json(OUTCOME) })
  await paste()
  const into = await screen.findByRole('combobox', { name: 'Category' })
  into.focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('option', { name: 'Writing' }))
  await userEvent.click(screen.getByRole('button', { name: /^Import 1/ }))
  expect(sent.at(-1)?.body).toMatchObject({ dryRun: false, categoryId: 2 })
})

test('what the server refuses is said, and the files stay', async () => {
  open({
    'POST /api/import': ({ dryRun }) =>
      dryRun
        ? Response.json(OUTCOME)
        : Response.json({ error: 'You can have 2 prompts; you have 2.' }, { status: 403 }),
  })
  await paste()
  await userEvent.click(await screen.findByRole('button', { name: /^Import 1/ }))
  expect((await screen.findByRole('alert')).textContent).toContain('You can have 2 prompts')
  expect(screen.getByText('Refund reply')).toBeTruthy()
})
