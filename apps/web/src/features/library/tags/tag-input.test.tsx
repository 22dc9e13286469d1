import type { Tag, TagKind } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type RefObject, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Field } from '../../../components/ui/field.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import { TagInput, type TagInputHandle } from './tag-input.tsx'

let answers: Record<string, (() => Response)[]>

beforeEach(() => {
  answers = { 'GET /api/tags': [() => Response.json([{ id: 1, name: 'Launch' }])] }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    const queue = answers[key]
    const answer = queue && queue.length > 1 ? queue.shift() : queue?.[0]
    return answer?.() ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const handle: RefObject<TagInputHandle | null> = { current: null }

function Form({ kind }: { kind: TagKind }) {
  const [queryClient] = useState(createQueryClient)
  const [tags, setTags] = useState<Tag[]>([])
  return (
    <QueryClientProvider client={queryClient}>
      <Field label="Tags">
        <TagInput ref={handle} kind={kind} value={tags} onChange={setTags} />
      </Field>
      <output>{tags.map(({ id }) => id).join(',')}</output>
    </QueryClientProvider>
  )
}

async function openForm(kind: TagKind = 'prompt'): Promise<HTMLElement> {
  render(<Form kind={kind} />)
  await waitFor(() => expect(document.querySelector('option')).not.toBeNull())
  return screen.getByLabelText('Tags')
}

function chosen(): string | null {
  return screen.getByRole('status').textContent
}

test('A tag’s name is trimmed, and a blank one ignored. An existing tag is reused, and never added twice.', async () => {
  const input = await openForm()
  await userEvent.type(input, ' LAUNCH {Enter}')
  await waitFor(() => expect(chosen()).toBe('1'))
  await userEvent.type(input, 'launch{Enter}')
  expect(chosen()).toBe('1')
})

test('a new name is searched for, then created', async () => {
  answers['GET /api/tags/search?name=tone'] = [() => Response.json({})]
  answers['POST /api/tags'] = [() => Response.json({ id: 5, name: 'tone' }, { status: 201 })]
  await userEvent.type(await openForm(), 'tone{Enter}')
  await waitFor(() => expect(chosen()).toBe('5'))
})

test('Adding a tag searches for it first, then creates it; on 409 it searches again.', async () => {
  answers['GET /api/tags/search?name=tone'] = [
    () => Response.json({}),
    () => Response.json({ id: 6, name: 'tone' }),
  ]
  answers['POST /api/tags'] = [() => Response.json({ error: 'Tag exists' }, { status: 409 })]
  await userEvent.type(await openForm(), 'tone{Enter}')
  await waitFor(() => expect(chosen()).toBe('6'))
})

test('A tag that was typed but not added is added on submit. Only numeric ids are sent.', async () => {
  await userEvent.type(await openForm(), 'launch')
  expect(await handle.current?.flush()).toEqual([{ id: 1, name: 'Launch' }])
})

test('Backspace in the empty line takes the last tag back', async () => {
  const input = await openForm()
  await userEvent.type(input, 'launch{Enter}')
  await waitFor(() => expect(chosen()).toBe('1'))
  await userEvent.type(input, '{Backspace}')
  expect(chosen()).toBe('')
})

test('A chain’s tags are added by Enter or plus: ‘Tag created’, ‘Failed to create tag’.', async () => {
  answers['GET /api/chain-tags'] = [() => Response.json([{ id: 1, name: 'Launch' }])]
  answers['GET /api/chain-tags/search?name=tone'] = [() => Response.json({})]
  answers['POST /api/chain-tags'] = [
    () => Response.json({ error: 'Too many tags' }, { status: 500 }),
    () => Response.json({ id: 5, name: 'tone' }, { status: 201 }),
  ]
  await userEvent.type(await openForm('chain'), 'tone')
  const toasted = () => toastStore.getSnapshot()[0]
  await userEvent.click(screen.getByRole('button', { name: 'Add tag' }))
  await waitFor(() => expect(toasted()?.title).toBe('Failed to create tag'))
  expect(toasted()?.description).toBe('500: Too many tags')
  await userEvent.click(screen.getByRole('button', { name: 'Add tag' }))
  await waitFor(() => expect(chosen()).toBe('5'))
  expect(toasted()?.title).toBe('Tag created')
})
