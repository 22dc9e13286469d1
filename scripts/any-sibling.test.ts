import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'

/** `+` or `~` beside `*`. */
const ANY_SIBLING = /[+~]\s*\*|\*\s*[+~]/

const asksForAnySibling = (text: string) => ANY_SIBLING.test(text.replaceAll(/\/\*.*?\*\//gs, ''))

// With one such selector a browser styles all that is beside an element anew whenever one is added, anywhere.
test('no style asks for any sibling of an element', () => {
  const files = globSync('apps/web/src/**/*.css', { cwd: root })
  expect(files.length).toBeGreaterThan(3)
  const found = files.filter((file) => asksForAnySibling(readFileSync(join(root, file), 'utf8')))
  expect(found).toEqual([])
})

test.for([
  ['.text > * + * { margin: 0 }', true],
  ['.text > h1 + * { margin: 0 }', true],
  ['* ~ .text { margin: 0 }', true],
  ['/* as * + * would */ .text > :not(:first-child) { margin: 0 }', false],
  ['.text > h1 + p { margin: calc(2 * 3px + 1px) }', false],
] as const)('%s asks for any sibling: %s', ([text, asks], { expect }) => {
  expect(asksForAnySibling(text)).toBe(asks)
})
