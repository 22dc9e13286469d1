import { expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'

test('an id needs nothing that plain http lacks, and is no other’s', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const ids = Array.from({ length: 100 }, newId)
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(100)
})
