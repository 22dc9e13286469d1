import { expect, test } from 'vitest'
import { formatRelativeTime } from './text/format-time.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T11:58:00Z', '2 minutes ago'],
  ['2026-11-21T10:00:00Z', '2 hours ago'],
  ['2026-11-20T10:00:00Z', 'yesterday'],
  ['2026-11-13T10:00:00Z', 'last week'],
  ['2026-09-01T10:00:00Z', '2 months ago'],
  ['2024-11-01T10:00:00Z', '2 years ago'],
])('%s is %s', (time, text) => {
  expect(formatRelativeTime({ time, now: NOW })).toBe(text)
})
