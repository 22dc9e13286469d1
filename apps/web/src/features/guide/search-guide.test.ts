import { expect, test } from 'vitest'
import { readGuidePage } from './read-guide.ts'
import { searchGuide } from './search-guide.ts'

const chains = `# Chains

A chain is prompts in a row.

## Go on after a failure

The page says which step failed. **Resume** goes on with that step; what was completed isn’t paid again. Mend it first.

## Go on after a failure

Twice.
`
const mail = `# Schedules and mail

Runs by itself.

| setting | meaning |
| --- | --- |
| \`SMTP_URL\` | the mail server |
`
const pages = [
  { name: 'chains', ...readGuidePage(chains) },
  { name: 'schedules-and-mail', ...readGuidePage(mail) },
]
const found = (search: string) => searchGuide({ pages, search })

test('all words are looked for in titles and texts, and the sentence that has them is shown', () => {
  const [hit, ...others] = found('RESUME paid')
  expect(others).toEqual([])
  expect(hit).toMatchObject({ page: 'chains', anchor: 'go-on-after-a-failure' })
  expect(hit?.sentence.map(({ text }) => text).join('')).toBe(
    'Resume goes on with that step; what was completed isn’t paid again.',
  )
  expect(hit?.sentence.flatMap(({ text, isFound }) => (isFound ? text : []))).toEqual(['Resume', 'paid'])
})

test('a title comes before a text, and what stands in a table is found', () => {
  expect(found('chain')[0]).toMatchObject({ page: 'chains', anchor: '' })
  const [row] = found('smtp_url')
  expect(row).toMatchObject({ page: 'schedules-and-mail' })
  expect(row?.sentence.map(({ text }) => text).join('')).toMatch(/^SMTP_URL +the mail server$/)
})

test('nothing is found for no words, for one that is missing, and for the signs of a pattern', () => {
  expect(found('  ')).toEqual([])
  expect(found('resume tomorrow')).toEqual([])
  expect(found('(.*')).toEqual([])
})

test('parts of the same title have anchors of their own, as on GitHub', () => {
  expect(pages[0]?.parts.map(({ anchor }) => anchor)).toEqual([
    '',
    'go-on-after-a-failure',
    'go-on-after-a-failure-1',
  ])
})
