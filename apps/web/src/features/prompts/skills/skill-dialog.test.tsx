import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../../components/toaster.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { stubApi } from '../testing/stub-api.ts'
import SkillDialog from './skill-dialog.tsx'

const SKILL = 'GET /api/prompts/7/skill'
const STORED = {
  description: 'Writes in the house style.',
  parts: [
    { path: 'glossary.md', promptId: 21, title: 'Glossary', variable: null },
    { path: 'references/style.md', promptId: null, title: null, variable: 'house_style' },
  ],
  updatedAt: '2026-11-21T09:00:00.000Z',
}
const FETCH = {
  ...{
    id: 1,
    kind: 'skill',
    promptId: 7,
    slug: 'tone-check',
    title: 'Tone check',
    version: 3,
    label: 'production',
  },
  ...{ client: 'claude-code 2.1.330', person: 'dan', tokenId: null, tokenName: null, count: 2 },
  ...{ firstAt: '2026-11-21T09:00:00.000Z', lastAt: '2026-11-21T09:00:00.000Z' },
}

const onClose = vi.fn()
beforeEach(() => onClose.mockReset())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function openDialog() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <SkillDialog prompt={makePrompt()} onClose={onClose} />
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return within(await screen.findByRole('dialog', { name: 'Skill' }))
}

test('From a prompt’s menu its editors mark it as a skill, and name the prompts and variables beside it.', async () => {
  const sent = stubApi({
    [SKILL]: () => Response.json({ error: 'Not found' }, { status: 404 }),
    'PUT /api/prompts/7/skill': () => Response.json(STORED),
  })
  const dialog = await openDialog()
  const serve = await dialog.findByRole('button', { name: /^Serve as Skill/ })
  expect(serve).toHaveProperty('disabled', true)
  await userEvent.type(await dialog.findByLabelText('Description'), ' When a mail is written. ')
  await userEvent.click(dialog.getByRole('button', { name: 'Add variable' }))
  await userEvent.type(dialog.getByLabelText('Path of file 1'), 'references/style.md')
  await userEvent.type(dialog.getByLabelText('Variable of file 1'), 'house_style')
  await userEvent.click(serve)
  expect(await screen.findByText('Skill saved')).toBeTruthy()
  const parts = [{ path: 'references/style.md', variable: 'house_style' }]
  expect(sent).toEqual([
    { key: 'PUT /api/prompts/7/skill', body: { description: 'When a mail is written.', parts } },
  ])
  expect(onClose).toHaveBeenCalledOnce()
})

test('The editors of a skill see who fetched which version last.', async () => {
  const error = 'Each path can be used once, whatever its case'
  const sent = stubApi({
    [SKILL]: () => Response.json(STORED),
    'GET /api/prompts/7/fetches?limit=5': () => Response.json([FETCH]),
    'PUT /api/prompts/7/skill': () => Response.json({ error }, { status: 400 }),
  })
  const dialog = await openDialog()
  expect(await dialog.findByText('Glossary')).toBeTruthy()
  expect(await dialog.findByText(/claude-code 2\.1\.330/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Remove file 2' }))
  await userEvent.click(dialog.getByRole('button', { name: /^Save Changes/ }))
  expect(await dialog.findByText(new RegExp(error))).toBeTruthy()
  const parts = [{ path: 'glossary.md', promptId: 21 }]
  expect(sent).toEqual([
    { key: 'PUT /api/prompts/7/skill', body: { description: STORED.description, parts } },
  ])
  expect(onClose).not.toHaveBeenCalled()
})

test('a file is the text of a prompt that is found by its title; without one the server says what is missing', async () => {
  const error = 'Name either a prompt or a variable'
  const glossary = { ...makePrompt(), id: 21, title: 'Glossary' }
  const sent = stubApi({
    [SKILL]: () => Response.json({ ...STORED, parts: [] }),
    'GET /api/prompts': () => Response.json([makePrompt(), glossary]),
    'GET /api/prompts/7/fetches?limit=5': () => Response.json([]),
    'PUT /api/prompts/7/skill': [
      () => Response.json({ error }, { status: 400 }),
      () => Response.json({ ...STORED, parts: STORED.parts.slice(0, 1) }),
    ],
  })
  const dialog = await openDialog()
  await userEvent.click(await dialog.findByRole('button', { name: 'Add prompt' }))
  await userEvent.type(dialog.getByLabelText('Path of file 1'), 'glossary.md')
  await userEvent.click(dialog.getByRole('button', { name: /^Save Changes/ }))
  expect(await dialog.findByText(new RegExp(error))).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Prompt of file 1' }))
  await userEvent.click(await screen.findByRole('option', { name: /^Glossary/ }))
  await userEvent.click(dialog.getByRole('button', { name: /^Save Changes/ }))
  expect(await screen.findByText('Skill saved')).toBeTruthy()
  const { description } = STORED
  expect(sent.map(({ body }) => body)).toEqual([
    { description, parts: [{ path: 'glossary.md' }] },
    { description, parts: [{ path: 'glossary.md', promptId: 21 }] },
  ])
})

test('The editors of a skill end it.', async () => {
  const sent = stubApi({
    [SKILL]: () => Response.json(STORED),
    'GET /api/prompts/7/fetches?limit=5': () => Response.json([]),
    'DELETE /api/prompts/7/skill': () => new Response(null, { status: 204 }),
  })
  const dialog = await openDialog()
  expect(await dialog.findByText('Nobody has fetched it yet.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Stop serving as skill' }))
  expect(await screen.findByText('Skill removed')).toBeTruthy()
  expect(sent).toMatchObject([{ key: 'DELETE /api/prompts/7/skill' }])
})
