import { test } from 'vitest'
import { checkFiles } from './testing/check-files.ts'

const PATIENCE_MS = 600_000

test(
  'of 10,000 times any files nothing comes that could not be saved',
  () => checkFiles(10_000, 30),
  PATIENCE_MS,
)
test('nor of as many others each time', () => checkFiles(10_000), PATIENCE_MS)
