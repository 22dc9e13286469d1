import { test } from 'vitest'
import { checkImports } from './testing/check-imports.ts'

test('of any files an import makes all that it says or nothing, and never fails by itself', () =>
  checkImports({ numRuns: 15, seed: 29 }))
