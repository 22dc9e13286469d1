import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { EXPOSED_HEADERS } from './server.ts'

const SOURCE = path.join(import.meta.dirname, '../..')
/** What browsers heed by themselves, and every page may read or none. */
const BROWSERS_OWN = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'set-cookie',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
]

test('Pages of allowed origins may read each header that a reply sets for its caller, such as `x-should-retry`.', async () => {
  const set = new Set<string>()
  for await (const file of glob('**/*.ts', { cwd: SOURCE })) {
    if (file.includes('.test.') || file.startsWith('testing')) continue
    const source = await readFile(path.join(SOURCE, file), 'utf8')
    for (const [, name = ''] of source.matchAll(/\.(?:header|setHeader)\(\s*'([A-Za-z-]+)'/g)) set.add(name)
  }
  expect(set.size).toBeGreaterThan(20)
  const told = [...EXPOSED_HEADERS, ...BROWSERS_OWN]
  expect([...set].filter((name) => !told.includes(name))).toEqual([])
})
