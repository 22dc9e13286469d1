import { expect, test } from 'vitest'
import { SECTIONS, sectionAt } from './pages.ts'

test('no two pages have the same address, no two sections the same shortcut', () => {
  const paths = SECTIONS.flatMap(({ pages }) => pages.map(({ path }) => path))
  expect(new Set(paths).size).toBe(paths.length)
  expect(new Set(SECTIONS.map(({ shortcut }) => shortcut)).size).toBe(SECTIONS.length)
})

test.each([
  ['/', 'Prompts'],
  ['/execute/4', 'Prompts'],
  ['/connect', 'Connect'],
  ['/api-access', 'Connect'],
  ['/prompts/4/tests', 'Prompts'],
  ['/variables', 'Variables'],
  ['/chains/12', 'Chains'],
  ['/chains/12/scheduled', 'Chains'],
  ['/chains/12/what/ever', 'Chains'],
  ['/asks/4', 'Waiting for you'],
  ['/usage/runs', 'Usage'],
  ['/settings/time-zone', 'Settings'],
  ['/nowhere', 'Prompts'],
])('%s belongs to %s', (address, label) => {
  expect(sectionAt(address).label).toBe(label)
})
