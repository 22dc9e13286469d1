import { test } from 'vitest'
import { checkImports } from './testing/check-imports.ts'

const PATIENCE_MS = 900_000

test(
  'of 1,000 times any files an import makes all that it says or nothing',
  () => checkImports({ numRuns: 1_000, seed: 30 }),
  PATIENCE_MS,
)
