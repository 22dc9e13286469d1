import { test } from 'vitest'
import { checkFiles } from './testing/check-files.ts'

test('Of no file comes what could not be saved.', () => checkFiles(300, 29))
