import { expect, test } from 'vitest'
import {
  codeTextsOf,
  findUnsaid,
  readCodeTexts,
  readTestTexts,
  testTextsOf,
  writtenOut,
} from './lib/named-texts.ts'
import { root } from './lib/root.mjs'

/** What a screen puts together in a way that is not told from its code. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Acts with your credential': 'whose it is, is filled in',
  'Be formal, 2 lines, short: false': 'values are filled into the text that the test typed',
  'Control K': 'two key caps',
  'input.issue.number': 'a field of what the service sent',
  'Learn more about variables': '‘about …’ is for screen readers alone, and written apart',
  'Move field 2, summary': 'the field is a key of the schema that the test puts there',
  'Runs a day, by how they ended. Sat, Nov 21:': 'a day is described after the label',
}

test('what tests in the browser look for is said by a screen, the guide or such a test itself', () => {
  const unsaid = findUnsaid({ code: readCodeTexts(root), tests: readTestTexts(root) })
  const strange = unsaid.filter(({ text }) => !(text in EXCEPTIONS))
  expect(strange.map(({ at, text }) => `${at}: ${text}`)).toEqual([])
  const idle = Object.keys(EXCEPTIONS).filter((text) => unsaid.every((each) => each.text !== text))
  expect(idle).toEqual([])
}, 240_000)

const CODE = codeTextsOf([
  {
    file: 'a.tsx',
    text: [
      `const label = \`More: \${name}\``,
      "const both = ['Save Changes', 'Category', 'All categories', 'this chain']",
      'const Showing = () => <p>\n  Showing {first} to {last} of\n  {total} results\n</p>',
      `const said = \`“\${name}” is now step \${step}. Undo takes it back.\``,
    ].join('\n'),
  },
])
function unsaidIn(text: string): string[] {
  const unsaid = findUnsaid({ code: CODE, tests: testTextsOf([{ file: 'b.ts', text }]) })
  return unsaid.map(({ at, text }) => `${at}: ${text}`)
}

test.each([
  "page.getByText('Save Changes')",
  "page.getByRole('button', { name: /^Save (?:Changes|it)$/ })",
  "api.post(chains, { name: 'Digest' })\npage.getByRole('button', { name: 'More: Digest' })",
  `page.getByRole('button', { name: \`More: \${name}\` })`,
  "page.getByText('Showing 1 to 7 of 12 results')",
  "page.getByLabel('Category: All categories')",
  "const steps = ['Mail it']\npage.getByText('“Mail it” is now step 5.')",
  "rows.filter((row) => row !== 'Nothing like it')",
  'page.getByText(title)',
])('%s is said', (text) => {
  expect(unsaidIn(text)).toEqual([])
})

test.each([
  ["page.getByText('Save it all')", 'b.ts:1: Save it all'],
  ["page.getByRole('button', { name: 'More about this chain' })", 'b.ts:1: More about this chain'],
  [`page.getByRole("button", { name: \`Less: \${name}\` })`, 'b.ts:1: Less:'],
  ["list.filter({ hasText: 'Loading all' })", 'b.ts:1: Loading all'],
  ["for (const name of ['Sign up here']) page.getByRole('link', { name })", 'b.ts:1: Sign up here'],
  [
    "test('‘Gone now’ is said.', () => expectText(page.getByText('Gone now'), 'Gone now'))",
    'b.ts:1: Gone now',
  ],
  [
    "const button = (name) => (page) => page.getByRole('button', { name })\n" +
      "const press = (it) => (page) => button(it)(page).click()\npress('Start over')",
    'b.ts:3: Start over',
  ],
])('%s is not', (text, found) => {
  expect(unsaidIn(text)).toEqual([found])
})

test.each([
  ['/^Version \\d+ (?:of|in) 3$/', ['Version ', ' ', 'of', 'in', ' 3']],
  ['/ uses? it\\.$/', [' use', ' it.']],
  ['/^Execute(?! with AI)/', ['Execute']],
])('%s has these parts written out', (pattern, parts) => {
  expect(writtenOut(pattern).filter((part) => part !== '')).toEqual(parts)
})
