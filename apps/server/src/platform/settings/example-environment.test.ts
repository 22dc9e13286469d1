import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exampleEnvironment } from './example-environment.ts'
import { listSettings } from './settings-list.ts'
import { SETTING_GROUPS } from './settings-meanings.ts'

test('.env.example has every setting as it is without a value; `npm run guide` writes it', () => {
  const file = readFileSync(path.join(import.meta.dirname, '../../../../../.env.example'), 'utf8')
  expect(file).toBe(exampleEnvironment())
})

test('The settings in the guide are those that are read, each with its default.', () => {
  const all = listSettings({ env: {}, directory: '/dev/null' }).map(({ name }) => name)
  expect(SETTING_GROUPS.flatMap(({ names }) => names).toSorted()).toEqual(all.toSorted())
})
