import { test } from 'vitest'
import { checkImports } from './testing/check-imports.ts'

/** An app and its reading processes start within: on a busy machine that takes its time. */
const PATIENCE_MS = 120_000

test(
  'All of an import is there or nothing, whatever the files hold.',
  () => checkImports({ numRuns: 15, seed: 29 }),
  PATIENCE_MS,
)
