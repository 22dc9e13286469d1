import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exampleEnvironment, GUIDE_BLOCKS, withBlocks } from './guide-blocks.ts'
import { listSettings } from './settings-list.ts'
import { SETTING_GROUPS } from './settings-meanings.ts'

const guide = path.join(import.meta.dirname, '../../../../../docs/guide')

test.each(Object.entries(GUIDE_BLOCKS))(
  'what %s of the guide takes from the code is as the code is; `npm run guide` writes it',
  (file, blocks) => {
    const page = readFileSync(path.join(guide, file), 'utf8')
    expect(page).toBe(withBlocks({ page, blocks }))
  },
)

test('.env.example has every setting as it is without a value; `npm run guide` writes it', () => {
  const file = readFileSync(path.join(guide, '../../.env.example'), 'utf8')
  expect(file).toBe(exampleEnvironment())
})

test('The settings in the guide are those that are read, each with its default; the snippets are those of the app.', () => {
  const all = listSettings({ env: {}, directory: '/dev/null' }).map(({ name }) => name)
  expect(SETTING_GROUPS.flatMap(({ names }) => names).toSorted()).toEqual(all.toSorted())
})
