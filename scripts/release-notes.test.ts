import { expect, test } from 'vitest'
import { notesOf } from './lib/release-notes.mjs'

const changes = '# Changes\n\nText.\n\n## Unreleased\n\n## 0.2.0\n\n- Second.\n\n## 0.1.0\n\nThe first.\n'

test('a release says what the changelog says of its version, and nothing of others', () => {
  expect(notesOf({ tag: 'v0.2.0', version: '0.2.0', changes })).toBe('- Second.\n')
  expect(notesOf({ tag: 'v0.1.0', version: '0.1.0', changes })).toBe('The first.\n')
})

test('tag, version and changelog must agree, and nothing may be left over', () => {
  expect(() => notesOf({ tag: 'v0.2.0', version: '0.1.0', changes })).toThrow('is not that of package.json')
  expect(() => notesOf({ tag: 'v0.3.0', version: '0.3.0', changes })).toThrow("no section '## 0.3.0'")
  const open = changes.replace('## Unreleased\n', '## Unreleased\n\n- Forgotten.\n')
  expect(() => notesOf({ tag: 'v0.2.0', version: '0.2.0', changes: open })).toThrow('Unreleased')
})
