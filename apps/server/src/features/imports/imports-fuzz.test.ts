import { test } from 'vitest'
import { checkImports } from './testing/check-imports.ts'

/** An app and its reading processes start within: on a busy machine that takes its time. */
const PATIENCE_MS = 120_000

test(
  'of any files an import makes all that it says or nothing, and never fails by itself',
  () => checkImports({ numRuns: 15, seed: 29 }),
  PATIENCE_MS,
)
