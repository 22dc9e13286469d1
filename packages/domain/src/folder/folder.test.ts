import { FOLDER_PLACES } from '@catenary/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ImportError } from '../promptfoo/draft.ts'
import { type FolderPrompt, type FolderRecord, fileNameOf } from './folder-records.ts'
import { isFolderFile, readRecord } from './read-record.ts'
import { anyChain, anyPrompt, anySuite } from './testing/folder-arbitraries.ts'
import { writeRecord } from './write-record.ts'

const PROMPT: FolderPrompt = {
  kind: 'prompt',
  slug: 'refund-reply',
  title: 'Refund reply',
  content: 'Answer $<customer>.\nBe kind.',
  category: 'Support',
  tags: ['mail', 'refunds'],
  isActive: true,
  skill: null,
  settings: { model: 'openai', temperature: 0.2, systemPrompt: 'You write for us.\nBriefly.' },
}

function again(record: FolderRecord): FolderRecord {
  const { path, text } = writeRecord(record)
  expect(isFolderFile(text)).toBe(true)
  return readRecord({ name: path, text })
}

test('what a folder does not have has its reason, and no field is on both lists', () => {
  for (const places of Object.values(FOLDER_PLACES)) {
    for (const place of Object.values(places)) {
      if (typeof place !== 'string') expect(place.leftOut).toMatch(/^(a|it|who|an)\b.{10,}/)
    }
  }
})

test('a prompt is Markdown with front matter that reads well', () => {
  expect(writeRecord(PROMPT)).toEqual({
    path: 'prompts/refund-reply.md',
    text: `---
catenary: prompt
title: Refund reply
category: Support
tags:
  - mail
  - refunds
model: openai
temperature: 0.2
systemPrompt: |-
  You write for us.
  Briefly.
---

Answer $<customer>.
Be kind.
`,
  })
})

describe('what is written is read as it was', () => {
  const kinds = { prompt: anyPrompt, chain: anyChain, suite: anySuite }
  test.each(Object.entries(kinds))('%s', (_, anyRecord) => {
    fc.assert(
      fc.property(anyRecord as fc.Arbitrary<FolderRecord>, (record) => {
        expect(again(record)).toEqual(record)
        expect(writeRecord(again(record))).toEqual(writeRecord(record))
      }),
      { numRuns: 100, seed: 20_261_127 },
    )
  })
})

test('A file that an editor changed the line ends of is the same prompt.', () => {
  const { path: name, text } = writeRecord(PROMPT)
  expect(readRecord({ name, text: text.replaceAll('\n', '\r\n') })).toEqual(PROMPT)
  expect(readRecord({ name, text: text.trimEnd() })).toEqual(PROMPT)
  expect(readRecord({ name: 'Pasted text', text })).toEqual({ ...PROMPT, slug: '' })
})

test('line ends at the end of the front matter are kept', () => {
  const ends: FolderPrompt = { ...PROMPT, settings: { systemPrompt: 'You write.\n\n\n' } }
  expect(again(ends)).toEqual(ends)
})

const BOMB = `a: &a [x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`)
  .join('\n')}`
const front = (fields: string) => `---\ncatenary: prompt\ntitle: A\n${fields}\n---\n\ntext\n`

test.each([
  ['aliases that multiply', front(BOMB), /alias/i],
  ['a tag of a program', front('tags: !!js/function "x"'), /^Line 3/],
  ['a prototype', front('__proto__: {a: 1}'), /__proto__/],
  ['an unknown field', front('owner: Olga'), /owner/],
  ['a wrong value', front('temperature: 3'), /^temperature/],
  ['no text', '---\ncatenary: prompt\ntitle: A\n---\n\n', /^text/],
  [
    'a schema that no vendor takes',
    front('output: {type: json, schema: {type: strange}}'),
    /^output\.schema/,
  ],
  [
    'two steps of one output',
    'catenary: chain\nname: A\nsteps:\n  - {outputName: a, model: b}\n  - {outputName: A, model: b}\n',
    /^steps\[1\]/,
  ],
  [
    'a step that ends the run and asks a model',
    'catenary: chain\nname: A\nsteps:\n  - {kind: stop, model: b, stop: {outcome: failed, text: a}}\n',
    /^steps\[0\]\.model: A step of kind stop asks no model/,
  ],
  [
    'a step that asks no model and does nothing else',
    'catenary: chain\nname: A\nsteps:\n  - {outputName: a}\n',
    /^steps\[0\]\.model: Choose a model/,
  ],
  [
    'a part of a skill that is nowhere',
    front('skill: {description: a, parts: [{path: a.md}]}'),
    /^skill\.parts\[0\]: Name either a prompt or a variable/,
  ],
  [
    'two parts of a skill at one place',
    front('skill: {description: a, parts: [{path: a.md, variable: b}, {path: A.md, variable: b}]}'),
    /^skill\.parts\[1\]\.path/,
  ],
  ['a suite of nothing', 'catenary: suite\nname: A\ncases: []\n', /prompt or a chain/],
  [
    'an assertion that there is not',
    'catenary: suite\nname: A\nprompt: a\ncases: [{name: B, assertions: [{type: eval}]}]\n',
    /^cases\[0\]\.assertions\[0\]/,
  ],
])(
  'What is broken, multiplied by aliases, or no file of a folder is refused with its place. (%s)',
  (_, text, message) => {
    expect(isFolderFile(text)).toBe(true)
    expect(() => readRecord({ name: 'a.md', text })).toThrow(ImportError)
    expect(() => readRecord({ name: 'a.md', text })).toThrow(message)
  },
)

test('names of files are plain, and each is one of its own', () => {
  const taken = new Set<string>()
  expect(['Höfliche Antwort!', 'höfliche antwort', '…'].map((name) => fileNameOf(name, taken))).toEqual([
    'hofliche-antwort',
    'hofliche-antwort-2',
    'suite',
  ])
})
