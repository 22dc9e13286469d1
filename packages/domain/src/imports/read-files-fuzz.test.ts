import { test } from 'vitest'
import { checkFiles } from './testing/check-files.ts'

test('of any files nothing comes that could not be saved', () => checkFiles(300, 29))
