import type { Instance } from '@catenary/contracts'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/errors.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { ConnectionLine } from './frame.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Writer() {
  const { mutate } = useMutation({
    mutationFn: () => Promise.reject(new ApiError({ status: 503, text: 'being moved' })),
    meta: { failure: false },
  })
  return (
    <button type="button" onClick={() => mutate()}>
      Save
    </button>
  )
}

const instance: Instance = {
  ...{ version: '1', commit: null, build: '', registration: 'open', sandbox: false },
  ...{ models: [], mail: false, readOnly: null },
}

test('a write that is refused brings the notice that the database is being moved', async () => {
  const client = createQueryClient()
  client.setQueryData(['instance'], instance)
  vi.stubGlobal('fetch', async () => Response.json({ ...instance, readOnly: 'moving' }))
  render(
    <QueryClientProvider client={client}>
      <ConnectionLine />
      <Writer />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('complementary')).toBeNull()
  screen.getByRole('button', { name: 'Save' }).click()
  expect(await screen.findByText(/is being moved to another database. You can read everything/)).toBeTruthy()
})

test('a database that was moved says so', () => {
  const client = createQueryClient()
  client.setQueryData(['instance'], { ...instance, readOnly: 'moved' })
  render(
    <QueryClientProvider client={client}>
      <ConnectionLine />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('complementary', { name: 'Read only' }).textContent).toContain('has moved')
})
