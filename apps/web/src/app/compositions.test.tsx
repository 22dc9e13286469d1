import type { Tag } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { InlineAddInput } from '../components/forms/inline-add.tsx'
import { Dialog, DialogContent, DialogHeader, DialogTitle } from '../components/ui/dialog.tsx'
import { Field } from '../components/ui/field.tsx'
import { TooltipProvider } from '../components/ui/tooltip.tsx'
import { TagInput } from '../features/library/tags/tag-input.tsx'
import { keepCompositions } from '../lib/keyboard/pressed.ts'
import { createQueryClient } from '../lib/query-client.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The Enter that ends a composition: as browsers have it, and as Safari, which ends the composition before. */
const ENDS = [
  { key: 'Enter', keyCode: 229, isComposing: true },
  { key: 'Enter', keyCode: 229, isComposing: false },
]

test.each(ENDS)('an Enter that ends a composition makes no tag: %o', async (end) => {
  const network = vi.fn(async (path: string, init?: RequestInit) =>
    Response.json(
      init?.method === 'POST' ? { id: 1, name: 'むずかしい' } : path.includes('search') ? {} : [],
    ),
  )
  vi.stubGlobal('fetch', network)
  const Tags = () => {
    const [value, setValue] = useState<Tag[]>([])
    return (
      <Field label="Tags">
        <TagInput kind="prompt" value={value} onChange={setValue} />
      </Field>
    )
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Tags />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  const field = screen.getByRole('combobox', { name: 'Tags' })
  fireEvent.compositionStart(field)
  fireEvent.change(field, { target: { value: 'むずかしい' } })
  fireEvent.keyDown(field, end)
  fireEvent.compositionEnd(field)
  await Promise.resolve()
  const made = () => network.mock.calls.filter(([, init]) => init?.method === 'POST')
  expect(made()).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  await vi.waitFor(() => expect(made()).toHaveLength(1))
})

test.each(ENDS)('nor does it add a category: %o', (end) => {
  const submit = vi.fn()
  render(
    <InlineAddInput
      label="New category"
      maxLength={50}
      onSubmit={submit}
      onClose={() => {}}
      pending={false}
    />,
  )
  const field = screen.getByRole('textbox')
  fireEvent.change(field, { target: { value: '文' } })
  fireEvent.keyDown(field, end)
  expect(submit).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(submit).toHaveBeenCalledWith('文')
})

test('an Escape that ends a composition closes no dialog', () => {
  keepCompositions()
  const onOpenChange = vi.fn()
  render(
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Edit</DialogTitle>
        </DialogHeader>
        <input aria-label="Title" />
      </DialogContent>
    </Dialog>,
  )
  fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'Escape', keyCode: 229, isComposing: true })
  expect(onOpenChange).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'Escape', keyCode: 27 })
  expect(onOpenChange).toHaveBeenCalledWith(false)
})
